"""What no extractor expects: pastes, other languages, pictures alone, broken weights. Nothing of it is fatal."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.prefilter import PreferencePrefilter
from prefmem_pg.providers.offline.sentence_model import load_sentence_model
from prefmem_pg.providers.protocols import Chunk

MakeMessage = Callable[..., Message]
WEIGHTS = files("prefmem_pg.providers.offline") / "model" / "sentences.npz"


@pytest.mark.parametrize(
    "text",
    [
        "🎉🎉🎉",
        "😂 👍 ❤️",
        "def likes(user):\n    # I always prefer tea\n    return user.favourite == tea\n",
        "const a = {喜欢: '茶', 不要: '咖啡'};\nconsole.log(a);",
        "$ cat notes.txt\nI hate Mondays\n我讨厌周一",
        "Je préfère le train à l'avion, que penses-tu de cela ?",
        "Wann fährt der nächste Bus nach Köln, und was kostet er?",
        "ما هي عاصمة البرتغال؟",
        "오늘 날씨가 어때요?",
    ],
)
def test_pictures_code_and_other_languages_give_nothing(
    make_message: MakeMessage, embedder: LocalEmbedder, text: str
) -> None:
    chunk = Chunk(user_id="u-1", dialog_id="d-1", messages=(make_message(text),))

    assert OfflineExtractor(embedder=embedder).extract(chunk) == []


@pytest.mark.parametrize(
    "piece",
    [
        "value = compute(left, right);\n",
        "他说：我喜欢茶。",
        " ",
        "key: value\n  other: value\n",
    ],
)
def test_five_megabytes_of_anything_are_masked_at_their_places(piece: str) -> None:
    paste = piece * (5_000_000 // len(piece.encode()))

    hidden = mask(paste)

    assert len(hidden) == len(paste)


def _truncated(path: Path) -> None:
    path.write_bytes(WEIGHTS.read_bytes()[:200_000])


def _scrambled(path: Path) -> None:
    whole = bytearray(WEIGHTS.read_bytes())
    whole[1_000:90_000] = bytes(89_000)
    path.write_bytes(whole)


def _of_other_traits(path: Path) -> None:
    with WEIGHTS.open("rb") as file, np.load(file) as arrays:
        weights = {name: arrays[name] for name in arrays.files}
    weights["trait_mean"] = weights["trait_mean"][:-1]
    weights["hidden"] = weights["hidden"][:-1]
    np.savez(path, **weights)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: None,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_text("no weights"),
        lambda path: np.savez(path, mean=np.zeros(3)),
        _truncated,
        _scrambled,
        _of_other_traits,
    ],
    ids=["missing", "empty", "text", "other arrays", "truncated", "scrambled", "other traits"],
)
def test_weights_that_cannot_be_used_are_none(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    path = tmp_path / "sentences.npz"
    spoil(path)

    assert load_sentence_model(path) is None


def test_the_weights_of_the_package_fit_its_traits() -> None:
    assert load_sentence_model() is not None


def test_half_a_surrogate_pair_is_read_like_any_sign(make_message: MakeMessage, embedder: LocalEmbedder) -> None:
    said = make_message("I love tea \ud83d, 我爱喝茶 \ud800")
    chunk = Chunk(user_id="u-1", dialog_id="d-1", messages=(said,))

    assert OfflineExtractor(embedder=embedder).extract(chunk)
    assert PreferencePrefilter(embedder=embedder).keeps([said]) == [True]
