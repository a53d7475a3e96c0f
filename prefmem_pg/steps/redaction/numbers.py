"""Numbers that their check digits give away: payment cards, identity numbers, bank accounts."""

import re
from collections.abc import Iterator
from typing import Final

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.exceptions import ValidationError
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.us import ssn

from prefmem_pg.steps.redaction.view import Span

_RUN = re.compile(r"[0-9](?:[ .\-]{0,2}[0-9]){8,}[Xx]?")
_GROUP = re.compile(r"[0-9]+")
# How cards are written: in one piece, in fours, or as American Express and Diners print them. Looser groupings would
# make one in ten lists of numbers a card, since that many pass Luhn. The longer one first.
_CARDS: Final = tuple(
    re.compile(pattern + r"(?![0-9])")
    for pattern in (
        r"[0-9]{13,19}",
        r"(?:[0-9]{4}[ -]){4}[0-9]{1,3}",
        r"(?:[0-9]{4}[ -]){3}[0-9]{1,4}",
        r"[0-9]{4}[ -][0-9]{6}[ -][0-9]{4,5}",
        r"[0-9]{6}[ -][0-9]{13}",
        r"[0-9]{8}[ -][0-9]{8}",
    )
)
_FIRST_LENGTHS: Final = frozenset({4, 6, 8, *range(13, 20)})
# First digits of the networks: Mastercard 2 and 5, travel and Amex and JCB 3, Visa 4, Maestro and UnionPay 5, 6, 81.
_ISSUER = re.compile(r"2[2-7]|3[0-9]|4|5|6|81")

_RIC = re.compile(r"(?<![0-9])[1-8][0-9]{5}[ -]?(?:18|19|20)[0-9]{2}[0-1][0-9][0-3][0-9][ -]?[0-9]{3}[0-9Xx]")
_SSN = re.compile(r"(?<![0-9])[0-9]{3}([- ])[0-9]{2}\1[0-9]{4}")
_CPF = re.compile(r"(?<![0-9])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}")
_RRN = re.compile(r"(?<![0-9])[0-9]{6}-[1-8][0-9]{6}")
_NIR = re.compile(r"(?<![0-9])[12] ?[0-9]{2} ?[0-1][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}")
# How an account number or a lettered identity number begins; one scan for all of them.
_LEAD = re.compile(r"[A-Z]{2}(?:[0-9]{2}|[A-Z]{2}(?:[0-9]{6}|[A-Z]{2}[0-9]{2}))")
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}")
_CODICE = re.compile(r"[A-Z]{6}[0-9]{2}[A-EHLMPR-T][0-9]{2}[A-Z][0-9]{3}[A-Z]")
_CURP = re.compile(r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[A-Z0-9][0-9]")

# Length of an account number by country, from the SWIFT registry of IBAN formats.
_IBAN_LENGTHS: Final = {
    15: "NO",
    16: "BE",
    18: "DK FI FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
_IBAN_LENGTH_OF: Final = {country: length for length, names in _IBAN_LENGTHS.items() for country in names.split()}


def find_numbers(text: str) -> Iterator[Span]:
    """Yield numbers whose check digits hold and that stand alone; linear in the text."""
    if not _GROUP.search(text):
        return
    for run in _RUN.finditer(text):
        yield from _identity_numbers(text, *run.span())
        yield from _cards(text, *run.span())
    done = 0
    for lead in _LEAD.finditer(text):
        if lead.start() >= done and (span := _lettered(text, lead.start())):
            done = span.end
            yield span


def _lettered(text: str, start: int) -> Span | None:
    if match := _IBAN.match(text, start):
        end = _iban_end(text, match)
        return Span(start, end, "iban") if end is not None and _stands_alone(text, start, end) else None
    for pattern, module in ((_CODICE, codicefiscale), (_CURP, curp)):
        match = pattern.match(text, start)
        if match and _stands_alone(text, *match.span()) and module.is_valid(match.group()):
            return Span(*match.span(), "id_number")
    return None


def _identity_numbers(text: str, start: int, end: int) -> Iterator[Span]:
    for match in _RIC.finditer(text, start, end):
        if _stands_alone(text, *match.span()) and _is_resident_number(match.group()):
            yield Span(*match.span(), "id_number")
    for pattern, module in ((_SSN, ssn), (_CPF, cpf), (_RRN, rrn), (_NIR, nir)):
        for match in pattern.finditer(text, start, end):
            number = match.group().replace(" ", "-") if module is ssn else match.group()
            if _stands_alone(text, *match.span()) and module.is_valid(number):
                yield Span(*match.span(), "id_number")


def _is_resident_number(number: str) -> bool:
    """Say whether check digit and birth date hold. The place is not asked: the table of places has gaps."""
    compact = number.replace(" ", "").replace("-", "").upper()
    try:
        ric.get_birth_date(compact)
    except ValidationError:
        return False
    return bool(ric.calc_check_digit(compact) == compact[-1])


def _cards(text: str, start: int, end: int) -> Iterator[Span]:
    groups = [match.span() for match in _GROUP.finditer(text, start, end)]
    if 2 * len(groups) - 1 == end - start and 13 <= len(groups) <= 19:
        number = text[start:end:2]  # one digit at a time, as when it is spelled out
        if _is_card(number):
            yield Span(start, end, "card")
        return
    done = start
    for first, after in groups:
        if first >= done and after - first in _FIRST_LENGTHS and (card_end := _card_end(text, first)):
            done = card_end
            yield Span(first, card_end, "card")


def _card_end(text: str, start: int) -> int | None:
    if not _ISSUER.match(text, start):
        return None
    for pattern in _CARDS:
        match = pattern.match(text, start)
        if match and _stands_alone(text, *match.span()) and _is_card(re.sub("[ -]", "", match.group())):
            return match.end()
    return None


def _is_card(number: str) -> bool:
    return bool(_ISSUER.match(number)) and len(set(number)) > 1 and bool(luhn.is_valid(number))


def _iban_end(text: str, match: re.Match[str]) -> int | None:
    length = _IBAN_LENGTH_OF.get(match.group()[:2])
    if length is None:
        return None
    seen = 0
    for place in range(match.start(), match.end()):
        seen += text[place] not in " -"
        if seen == length:
            number = text[match.start() : place + 1]
            return place + 1 if iban.is_valid(number, check_country=False) else None
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether no ASCII letter or digit touches the number, and no decimal point makes it part of a fraction."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if (before and _is_word(before[-1])) or (after and _is_word(after[0])):
        return False
    if len(before) == 2 and before[1] in ".," and before[0].isdigit():
        return False
    return not (len(after) == 2 and after[0] == "." and after[1].isdigit())


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
