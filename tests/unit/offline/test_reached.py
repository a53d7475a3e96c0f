"""Which sentences tell that a stored goal was reached, and which tell of a step on the way, of others or of else."""

import pytest

from prefmem_pg.providers.offline.reached import reaches

REACHED = [
    ("I want to run a marathon", "I finally ran the marathon"),
    ("My goal is to pass the JLPT N2 exam", "I passed the N2 exam!"),
    ("I want to travel to Beijing", "We're back from Beijing, it was lovely"),
    ("I want to go to Japan in spring", "We visited Japan and loved every minute"),
    ("I plan to buy a house next year", "We bought the house, got the keys today"),
    ("I want to find a new job", "I got a new job, starting Monday"),
    ("I'm saving for a house", "We bought a house"),
    ("I want to adopt a dog", "We adopted a dog yesterday, she's called Pixel"),
    ("I want to climb Mount Fuji", "I climbed Mount Fuji last weekend"),
    ("我想去北京旅游", "北京之行已经结束了，玩得很开心"),
    ("我想去云南旅行", "刚从云南回来，照片发朋友圈了"),
    ("我在备考雅思", "雅思考过了，7.5分"),
    ("我打算减肥10斤", "减肥成功了，瘦了10斤"),
    ("我计划买一辆电动车", "电动车买到了"),
    ("我要考驾照", "驾照拿到了"),
    ("我打算还清房贷", "房贷终于还清了"),
    ("今年的目标是读完20本书", "20本书的目标完成了"),
    ("I'm planning a trip to Portugal in May", "We got back from Portugal on Sunday, the food was incredible"),
    ("I want to start a podcast", "We started the podcast and published three episodes"),
    ("I want to get a driving licence", "Got my driving licence today!"),
    ("I'm preparing for the AWS architect certification", "I passed the AWS architect certification"),
    ("My goal is to read 20 books this year", "I've read 20 books, goal reached"),
    ("I want to cycle around Lake Constance", "I cycled around Lake Constance last week"),
    ("我想去西藏", "西藏之旅圆满结束"),
    ("我打算考研", "考研上岸了"),
    ("我想学弹吉他弹《晴天》", "《晴天》已经会弹了"),
    ("我想领养一只猫", "猫领养到了，叫团子"),
    ("我想瘦到60公斤", "瘦到60公斤了，目标达成"),
    ("我打算卖掉旧车", "旧车卖掉了"),
    ("I'm planning to renovate the bathroom", "We finally finished the bathroom"),
    ("I'd like to learn how to juggle", "I know how to juggle now"),
    ("I want to publish my first paper", "My paper was published on Tuesday"),
    ("我打算国庆去新疆玩", "新疆玩完回来了"),
    ("我想买房", "房子买好了"),
    ("我想学做红烧肉", "红烧肉学会了"),
]
IN_WORDS_OF_A_MODEL = [
    ("Wants to visit Rome", "We're back from Rome"),
    ("Planning a trip to Portugal in May", "Just got back from Portugal"),
    ("The user is planning a trip to Portugal", "The Portugal trip was wonderful"),
    ("用户计划去冰岛看极光", "从冰岛回来了"),
]
STANDS = [
    ("I want to travel to Beijing", "I booked the flights to Beijing"),
    ("I want to travel to Beijing", "My sister is back from Beijing"),
    ("I'd like to visit Rome", "What was the Rome trip called again?"),
    ("I want to run a marathon", "I ran 10 km today"),
    ("I want to run a marathon", "I bought new marathon shoes"),
    ("My goal is to pass the JLPT N2 exam", "I failed the N2 exam"),
    ("My goal is to pass the JLPT N2 exam", "I haven't passed the exam yet"),
    ("I want to write a novel", "I finished a novel by Le Guin yesterday"),
    ("I plan to buy a house next year", "We viewed a house on Oak Street"),
    ("I want to quit smoking", "I smoked two cigarettes"),
    ("I want to find a new job", "I quit my job"),
    ("I want to learn Japanese", "I finished lesson 3 of the Japanese course"),
    ("I want to adopt a dog", "The neighbour's dog got out"),
    ("我想去北京旅游", "我订好了去北京的机票"),
    ("我想去北京旅游", "我朋友刚从北京回来"),
    ("我想去北京旅游", "北京有什么小吃？"),
    ("我打算今年跑一次马拉松", "今天跑了十公里"),
    ("我在备考雅思", "雅思没考过"),
    ("我在备考雅思", "雅思单词背完第一章了"),
    ("我想学会游泳", "今天去游泳了"),
    ("我想写完毕业论文", "论文开题通过了"),
    ("我想找工作", "今天工作做完了"),
    ("I want to learn to swim", "I went swimming with the kids"),
    ("I'm planning a trip to Portugal in May", "I read that Portugal won the match"),
    ("I want to start a podcast", "I listened to a podcast about history"),
    ("I want to sell my car", "I parked the car downtown"),
    ("I plan to renovate the kitchen", "I cleaned the kitchen"),
    ("I want to get married in spring", "My cousin got married on Saturday"),
    ("I want to find a new flat", "I cleaned the flat"),
    ("I want to run a marathon", "Watched the marathon on TV"),
    ("I want to visit Kyoto", "I've made it to level two in Kyoto Quest"),
    ("我想去西藏", "看完了一部西藏的纪录片"),
    ("我打算考研", "考研资料买好了"),
    ("我想攒够10万块钱", "攒了3万了"),
    ("我想领养一只猫", "猫粮买到了"),
    ("我计划今年拿到教师资格证", "教师资格证报名了"),
    ("我打算卖掉旧车", "旧车修好了"),
    ("我想学会游泳", "游泳池关了"),
    ("I'm planning to renovate the bathroom", "The bathroom is broken"),
    ("I'd like to learn how to juggle", "I dropped the balls"),
    ("I'm hoping to get promoted this year", "My colleague got promoted"),
    ("I want to publish my first paper", "The paper was rejected"),
    ("I want to open a bakery", "The bakery on the corner is closed"),
    ("I want to learn Spanish", "I met a Spanish guy, he was nice"),
    ("I want to finish reading Dune", "I started Dune yesterday"),
    ("我打算国庆去新疆玩", "新疆的火车票买到了"),
    ("我想买房", "房租涨了"),
    ("我想学做红烧肉", "红烧肉吃完了"),
    ("我想减到55公斤", "体重涨到60公斤了"),
    ("我想养一只狗", "楼下的狗叫了一晚上"),
    ("我想换工作", "简历改好了"),
    ("我想写一本小说", "小说看完了，挺好看"),
]


@pytest.mark.parametrize(("goal", "said"), [*REACHED, *IN_WORDS_OF_A_MODEL])
def test_what_was_reached_is_told_by_its_verb_a_completion_or_a_return(goal: str, said: str) -> None:
    assert reaches(said, goal)


@pytest.mark.parametrize(("goal", "said"), STANDS)
def test_a_step_on_the_way_another_person_or_another_thing_reaches_nothing(goal: str, said: str) -> None:
    assert not reaches(said, goal)


@pytest.mark.parametrize("said", ["", "🎉", "done", "x" * 5_000, "I ran\x00 " * 80])
def test_what_says_nothing_of_the_goal_reaches_nothing(said: str) -> None:
    assert not reaches(said, "I want to run a marathon")
