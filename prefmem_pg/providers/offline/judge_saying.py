"""Words for a verdict's reason."""

from prefmem_pg.providers.offline.judge_reading import Item


def say_numbers(numbers: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{bound} {say_number(value)}".strip() for bound, value in numbers)


def say_number(mark: str) -> str:
    if mark[1] == "n":
        return mark[2:]
    minutes = int(mark[2:].rstrip("?"))
    return f"{minutes // 60}:{minutes % 60:02}"


def names(items: tuple[Item, ...]) -> str:
    return ", ".join(dict.fromkeys(name(i) for i in items))


def name(item: Item) -> str:
    return item.concept.replace("_", " ")
