"""Template questions and statements, by which vectors are centred and questions are smoothed."""

from prefmem_pg.providers.bank.bank import Bank, bank_language, load_bank, without_form

__all__ = ["Bank", "bank_language", "load_bank", "without_form"]
