"""Secrets are replaced, everything else stays; sensitive subjects and safety facts are named."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.steps.redaction.view import KINDS
from prefmem_pg.steps.screen import classify, redact, redact_metadata, screen_message

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----"

SECRETS = [
    # announced in words: the words stay
    ("my wifi password is hunter22!", "my wifi password is [secret:password]"),
    ("Password: swordfish", "Password: [secret:password]"),
    ("my password is swordfish.", "my password is [secret:password]."),
    ("the password for the guest wifi is sun42flower", "the password for the guest wifi is [secret:password]"),
    ("I changed my password to Tiger99", "I changed my password to [secret:password]"),
    ("hunter22 is my wifi password", "[secret:password] is my wifi password"),
    ("passwords: abc123 and def456", "passwords: [secret:password] and [secret:password]"),
    ('{"password":"abc","user":"x"}', '{"password":"[secret:password]","user":"x"}'),
    ("export DB_PASSWORD=s3cret; run", "export DB_PASSWORD=[secret:password]; run"),
    ("My passphrase is correct horse battery staple.", "My passphrase is [secret:password]."),
    ("My PIN is 4821, thanks", "My PIN is [secret:pin], thanks"),
    ("the door code is 1984", "the door code is [secret:pin]"),
    ("my api key is abcd1234efgh5678", "my api key is [secret:api_key]"),
    ("我的密码是abc123", "我的密码是[secret:password]"),
    ("密码：abc123，谢谢", "密码：[secret:password]，谢谢"),
    ("密码：芝麻开门", "密码：[secret:password]"),
    ("密码是“芝麻开门”哦", "密码是“[secret:password]”哦"),
    ("我的密码改成 tiger88 了", "我的密码改成 [secret:password] 了"),
    ("用abc123当WiFi密码", "用[secret:password]当WiFi密码"),
    ("验证码123456，别告诉别人", "验证码[secret:pin]，别告诉别人"),
    ("助记词：apple banana cherry", "助记词：[secret:password]"),
    ("my 密码 is abc123 😂", "my 密码 is [secret:password] 😂"),
    ("我家 wifi password 是 ｈｕｎｔｅｒ２２ 哈哈", "我家 wifi password 是 [secret:password] 哈哈"),
    # given away by their form
    ("凭证为sk_test_ABCDEFGH12345678，请保存", "凭证为[secret:api_key]，请保存"),  # B66
    ("令牌ghp_abcdefghijklmnopqrstuvwxyz0123456789吧", "令牌[secret:api_key]吧"),
    ("use sk-ant-api03-AbCdEf0123456789abcdef.", "use [secret:api_key]."),
    ("AKIAIOSFODNN7EXAMPLE is the id", "[secret:api_key] is the id"),
    ("Authorization: Bearer abcdef0123456789abcd", "Authorization: Bearer [secret:token]"),
    ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF123 ok", "jwt [secret:token] ok"),
    (f"私钥{KEY}请保密", "私钥[secret:private_key]请保密"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n", "[secret:private_key]\n"),
    ("连接postgres://bob:p%40ss:w/rd#1@db.example.com:5432/app，好", "连接[secret:connection_string]，好"),
    ("see https://ana:pw@example.com/x.", "see [secret:connection_string]."),
    # given away by their check digits
    ("card 4111 1111 1111 1111 exp 12/27", "card [secret:card] exp 12/27"),
    ("卡号6222021234567890128到期", "卡号[secret:card]到期"),
    ("3782-822463-10005", "[secret:card]"),
    ("付款４１１１１１１１１１１１１１１１谢谢", "付款[secret:card]谢谢"),
    ("4111\u200b1111\u200b1111\u200b1111", "[secret:card]"),
    ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "[secret:card]"),
    ("order 1234 4111 1111 1111 1111", "order 1234 [secret:card]"),
    ("11010519491231002X是我的", "[secret:id_number]是我的"),
    ("id 110105 19491231 002x.", "id [secret:id_number]."),
    ("SSN 536-90-4399", "SSN [secret:id_number]"),
    ("CPF 390.533.447-05", "CPF [secret:id_number]"),
    ("护照号E12345678", "护照号[secret:id_number]"),
    ("IBAN DE89 3704 0044 0532 0130 00 AND MORE", "IBAN [secret:iban] AND MORE"),
    ("账户GB82WEST12345698765432。", "账户[secret:iban]。"),
]

HARMLESS = [
    "",
    "the password policy is annoying",
    "I forgot my password",
    "My password is hard to remember",
    "Password is required.",
    "password: I keep forgetting it",
    "I use 1Password as a password manager",
    "a password-free login is 100x better",
    "My passphrase is too long to type",
    "the secret is patience, the secret ingredient is cinnamon",
    "my token: 4096 tokens is my limit",
    "pin 13 on the Arduino, pin it to the top",
    "密码太难记了",
    "密码是什么？我忘记密码了",
    "密码：太难记了",
    "我的密码是我生日，你猜",
    "call +1 415 555 2671 or 13800138000",
    "order 4111111111111112 shipped, 订单号20240501123456",
    "commit 94cee76aabbccddeeff00112233445566778899a fixes it",
    "550e8400-e29b-41d4-a716-446655440000",
    "0.5500000000000004 and 1714557600000",
    "on 2024-05-01 10:30 I bought 3 x 500 g",
    "sk-learn-is-a-great-library-for-ml",
    "https://example.com:443/@user?a=b",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "ISBN 978-3-16-148410-0",
    "家人们👨‍👩‍👧 สวัสดี می‌خواهم",
    "[secret:password] was here",
]


@pytest.mark.parametrize(("text", "expected"), SECRETS)
def test_a_secret_is_replaced_and_its_surroundings_stay(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(("text", "expected"), SECRETS)
def test_redacting_again_changes_nothing(text: str, expected: str) -> None:
    assert redact(expected) == expected


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_invisible_characters_outside_a_secret_stay() -> None:
    assert redact("👨‍👩‍👧 pw\u200bd: abc\u200b123 👨‍👩‍👧") == "👨‍👩‍👧 pw\u200bd: [secret:password] 👨‍👩‍👧"


def test_many_secrets_in_a_long_message_are_all_replaced() -> None:
    redacted = redact("我的密码是abc123，卡号4111111111111111。 " * 20_000)
    assert redacted == "我的密码是[secret:password]，卡号[secret:card]。 " * 20_000


pieces = st.sampled_from(
    [text for text, _ in SECRETS]
    + [
        *(
            "password",
            "密码",
            "：",
            ": ",
            " is ",
            "是",
            "=",
            " ",
            "\n",
            "-",
            "_",
            "a1",
            "4111",
            "sk-",
            "eyJ",
            "://",
            "@",
        )
    ]
    + [
        *(
            "pin",
            "\u200b",
            "[secret:",
            "[secret:card]",
            "]",
            "passphrase: ",
            '"',
            "'",
            "，",
            "😂",
            "X",
            "１",
            " and ",
            "/",
        )
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(pieces | st.text(max_size=5), max_size=12).map("".join) | st.text())
def test_redacting_any_text_twice_is_redacting_it_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(st.text(alphabet="abcdef的一是了 \n，。", max_size=200))
def test_text_without_digits_or_announcement_is_untouched(text: str) -> None:
    assert redact(text) == text


def test_metadata_is_redacted_at_any_depth_and_keys_stay() -> None:
    value = {
        "password": "hunter2x",
        "登录": {"密码": "abc123", "备注": ["卡号4111111111111111", 5, None, True, 1.5]},
        "card": 4111111111111111,
        "api_key": "abcd1234efgh5678",
        "note": "likes tea",
        "password_hint": None,
    }
    assert redact_metadata(value) == {
        "password": "[secret:password]",
        "登录": {"密码": "[secret:password]", "备注": ["卡号[secret:card]", 5, None, True, 1.5]},
        "card": "[secret:card]",
        "api_key": "[secret:api_key]",
        "note": "likes tea",
        "password_hint": None,
    }


SECRET_KEYS = {
    "password": "password (password) old_password passwords DB_PASSWORD wifiPassword wifipassword passwd pwd passcode "
    "passphrase password_2 new-password passwordConfirmation password_for_wifi recovery_phrase seedPhrase ｐａｓｓｗｄ "
    "密码 密碼 WiFi密码 支付密码（新） 🔑密码 口令 旧口令2 通行码 助记词",
    "api_key": "api_key apiKey apikey API-KEY x-api-key api_keys secret_key AWS_SECRET_ACCESS_KEY access_key_id "
    "ssh_key private.key license_key client_secret appSecret 密钥 API密钥 秘钥 私钥 私鑰",
    "token": "token Token token_1 access_token accessToken refreshtoken API_TOKENS csrf-token github_token token_value "
    "secret secrets webhook_secret signingSecret jwt Authorization session_cookie login_credentials 令牌 访问令牌 "
    "登录凭证",
}
HARMLESS_KEYS = (
    "token_count max_tokens tokens tokenizer token_type eos_token next_page_token secret_santa secretary beauty_secret "
    "user_secret top_secret key keyboard sort_key primary_key public_key user_key hotkey key_signature monkey turkey "
    "password_policy passwordless password_hint pass passport compass boarding_pass cookie favourite_cookie "
    "credentials author authorized pin pinned 密码强度 密码本 流量密码 财富密码 达芬奇密码 口令红包 令牌桶 秘密 密云 "
    "凭证类型 钥匙 验证码"
)


@pytest.mark.parametrize("value", ["sesame", "芝麻开门", "open sesame 🔓", 4821, 0.5])
@pytest.mark.parametrize(("kind", "keys"), SECRET_KEYS.items())
def test_what_stands_under_a_key_that_says_it_is_secret_is_replaced_at_any_depth(
    kind: str, keys: str, value: object
) -> None:
    hidden = f"[secret:{kind}]"
    for key in keys.split():
        given = {key: value, "x": {key: [value, {"home": [value], "有效": True, "until": None, "note": ""}]}}
        expected = {key: hidden, "x": {key: [hidden, {"home": [hidden], "有效": True, "until": None, "note": ""}]}}
        assert redact_metadata(given) == expected


@pytest.mark.parametrize("key", HARMLESS_KEYS.split())
def test_what_stands_under_a_harmless_key_stays_at_any_depth(key: str) -> None:
    value = {key: ["likes tea", "喜欢喝茶 🍵", {"n": 12, "on": "2024-05-01"}], "x": {key: 12}}
    assert redact_metadata(value) == value


def test_a_long_key_is_judged_at_once() -> None:
    keys = ("password" + "1" * 100_000 + "x", "api " * 50_000, "密码" * 50_000 + "本")
    assert all(redact_metadata({key: "tea"}) == {key: "tea"} for key in keys)


def test_a_key_that_announces_digits_hides_those_and_no_words() -> None:
    value = {
        "cardPin": {"debit": [4821, "lost"]},
        "passport_number": ["E12345678", "过期"],
        "证件": {"身份证": [11010519]},
    }
    assert redact_metadata(value) == {
        "cardPin": {"debit": ["[secret:pin]", "lost"]},
        "passport_number": ["[secret:id_number]", "过期"],
        "证件": {"身份证": ["[secret:id_number]"]},
    }


def test_redacting_metadata_again_changes_nothing() -> None:
    once = redact_metadata(
        {"password": "x", "pwd": ["hunter22"], "密码": "a b c", "pin": 1234, "t": "sk-abcdef0123456789ab"}
        | {"secret": {"password": "x", "token": ["sk-abcdef0123456789ab"]}, "令牌": {"卡号": "4111111111111111"}}
    )
    assert redact_metadata(once) == once


def test_a_message_is_screened_in_content_author_and_metadata() -> None:
    message = NewMessage(
        user_id="u",
        role="user",
        content="密码：abc123",
        author="Ana 4111111111111111",
        external_id="4111111111111111",
        occurred_at=datetime(2026, 5, 1, tzinfo=UTC),
        metadata={"password": "abc123"},
    )
    screened = screen_message(message)
    assert (screened.content, screened.author) == ("密码：[secret:password]", "Ana [secret:card]")
    assert screened.metadata == {"password": "[secret:password]"}
    assert (screened.external_id, screened.occurred_at) == (message.external_id, message.occurred_at)


def test_every_placeholder_kind_is_recognised_as_one() -> None:
    text = " ".join(f"password: [secret:{kind}]" for kind in KINDS)
    assert redact(text) == text


SAFETY = [
    *("I'm allergic to peanuts", "User is allergic to shellfish 😂", "I’m allergic to bees", "Has a nut allergy"),
    *(
        "我对花生过敏",
        "对海鲜严重过敏，别推荐",
        "乳糖不耐受，喝拿铁要换燕麦奶",
        "不能吃虾，吃了会休克",
        "吃头孢不能喝酒",
    ),
    *("I can't have nuts, it could kill me", "can't have grapefruit because of my medication", "Carries an EpiPen"),
    *("lactose intolerant", "Has celiac disease", "I can't digest milk", "My son is allergic to eggs"),
    *("Don't forget I'm allergic to soy", "I can't eat nuts, I'm allergic", "allergic to penicillin lol 真的"),
]
NOT_SENSITIVE = [
    *("Prefers healthy food", "喜欢健康食品", "Prefers cheap flights", "Likes vegetarian food", "My coffee is black"),
    *("I'm allergic to meetings 😂", "I'm allergic to early mornings", "我对开会过敏哈哈", "我对早起过敏"),
    *(
        "Deadlines could kill me",
        "Hates technical debt",
        "讨厌技术债",
        "Wants notifications disabled",
        "Loves Queer Eye",
    ),
    *("Likes platform-agnostic tools", "Loves Christian Bale movies", "Prefers SQL UNION", "喜欢傣族菜", "一直佛系"),
    *("Pays with a Visa card", "undocumented APIs annoy me", "I'm a bit OCD about formatting", "把这首歌收入歌单"),
]
SUBJECTS = {
    "health": [
        *(
            "I have type 2 diabetes",
            "Takes metformin daily",
            "I'm pregnant",
            "Uses a wheelchair",
            "diagnosed with ADHD",
        ),
        *("我有高血压", "正在备孕", "确诊抑郁症", "失眠，晚上不喝咖啡", "I'm not allergic to anything", "对花生不过敏"),
    ],
    "finance": [
        *("My salary is 90k", "I make $85,000 a year", "Has student loans", "credit score is 700", "Is in debt"),
        *("月薪两万", "在还房贷", "还有一大笔欠款", "积蓄不多"),
    ],
    "identity": [
        *("I'm Muslim", "User is a devout Catholic", "I'm gay", "she is transgender", "Votes for the Green party"),
        *("on an H-1B visa", "I'm a union member", "As a Buddhist, avoids meat", "I'm Black"),
        *("我是基督徒", "我是回族", "我是工会会员", "他是跨性别者", "我信佛，不杀生", "我是同性恋"),
    ],
}


@pytest.mark.parametrize("statement", SAFETY)
def test_what_would_harm_is_a_safety_fact(statement: str) -> None:
    assert classify(statement) == ("health", True)


@pytest.mark.parametrize("statement", NOT_SENSITIVE)
def test_false_friends_and_figures_of_speech_are_neither(statement: str) -> None:
    assert classify(statement) == ("none", False)


@pytest.mark.parametrize(("subject", "statement"), [(name, text) for name, texts in SUBJECTS.items() for text in texts])
def test_a_sensitive_subject_is_named(subject: str, statement: str) -> None:
    assert classify(statement) == (subject, False)


def test_a_topic_counts_when_it_is_sensitive_itself_or_the_statement_agrees() -> None:
    assert classify("takes it twice a day", "medication") == ("health", False)
    assert classify("takes pills at 8", "health") == ("health", False)
    assert classify("prefers morning runs", "health") == ("none", False)
    assert classify("每月存钱", "理财") == ("finance", False)


@given(st.text(), st.none() | st.text())
def test_any_statement_can_be_classified(statement: str, topic: str | None) -> None:
    assert classify(statement, topic)[0] in {"none", "health", "finance", "identity"}
