"""How many tokens a text has, estimated without any tokenizer."""


def count_tokens(text: str) -> int:
    """Return an upper bound of the tokens of a text that common tokenizers make.

    One for each CJK character or other symbol beyond ASCII, one for every three characters of ASCII (English runs at
    four and more): conservative on purpose, so that a budget holds whatever the model.
    """
    ascii_count = sum(1 for character in text if character < "\x80")
    return len(text) - ascii_count + -(-ascii_count // 3)
