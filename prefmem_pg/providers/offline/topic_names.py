"""The taxonomy of topics: what each stable id is called in English and in Chinese. Explained in docs/topics.md."""

from typing import Final

TOPIC_NAMES: Final[dict[str, tuple[str, str]]] = {
    "pets": ("Pets", "宠物"),
    "software": ("Software", "软件开发"),
    "communication": ("Communication", "沟通方式"),
    "drink": ("Drink", "饮品"),
    "food": ("Food", "饮食"),
    "travel": ("Travel", "出行"),
    "music": ("Music", "音乐"),
    "film": ("Film and series", "影视"),
    "reading": ("Reading", "阅读"),
    "sport": ("Sport", "运动"),
    "health": ("Health", "健康"),
    "family": ("Family", "家庭"),
    "finance": ("Finance", "财务"),
    "schedule": ("Schedule", "时间安排"),
    "work": ("Work", "工作"),
    "learning": ("Learning", "学习"),
    "language": ("Language", "语言"),
    "style": ("Clothes and looks", "穿着"),
    "home": ("Home", "居家"),
    "shopping": ("Shopping", "购物"),
    "technology": ("Technology", "数码"),
    "other": ("Other", "其他"),
}
"""Id → (English, Chinese). An id is never given another meaning; a new one goes before "other"."""
