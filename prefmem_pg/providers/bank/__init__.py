"""Template questions and statements, by which vectors are centred and questions are smoothed."""

from prefmem_pg.providers.bank.bank import (
    Bank,
    accept_bank,
    bank_language,
    is_current,
    load_bank,
    pack_bank,
    without_form,
)

__all__ = ["Bank", "accept_bank", "bank_language", "is_current", "load_bank", "pack_bank", "without_form"]
