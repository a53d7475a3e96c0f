"""A few Japanese cues: a short statement in Japanese is not lost for want of a Chinese or English word."""

import re

from prefmem_pg.providers.offline.cue import CONSTRAINT, DANGER, STRONG, Cue

CUES: tuple[Cue, ...] = (
    Cue(
        "allergy", re.compile("アレルギー(?!は(?:ない|ありません))"), "fact", "negative", STRONG, DANGER, is_safety=True
    ),
    Cue("says they do not like it", re.compile("苦手|嫌い|好きではない|好きじゃない"), "explicit", "negative", STRONG),
    Cue(
        "never does it",
        re.compile("(?:飲|食べ|使|買|見)(?:ま|わ)?(?:ない|ません)"),
        "explicit",
        "negative",
        0.7,
        CONSTRAINT,
    ),
    Cue("says they like it", re.compile("大?好き"), "explicit", "positive", STRONG),
)

PRECHECK = re.compile("苦手|嫌い|好き|アレルギー|ない|ません")
