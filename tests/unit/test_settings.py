"""The settings: what the environment may say, and what it may not."""

from decimal import Decimal

import pytest

from prefmem_pg.errors import ConfigurationError
from prefmem_pg.settings import Limits, Settings

KEY = "pa-very-secret-key-0123456789"


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_env({}) == Settings()


def test_blank_variables_count_as_unset() -> None:
    names = ("PREFMEM_EMBEDDER", "VOYAGE_API_KEY", "PREFMEM_VOYAGE_MODEL", "PREFMEM_BUDGET_DAY_USD", "PREFMEM_RETRIES")
    assert Settings.from_env(dict.fromkeys(names, " ")) == Settings()


def test_a_key_is_not_shown_with_the_settings() -> None:
    settings = Settings.from_env({"VOYAGE_API_KEY": KEY, "OPENAI_API_KEY": KEY})
    assert settings.voyage.api_key == settings.openai.api_key == KEY
    assert KEY not in repr(settings)
    assert KEY not in str(settings)


def test_models_and_addresses_are_settings() -> None:
    settings = Settings.from_env(
        {
            "PREFMEM_VOYAGE_MODEL": "voyage-4-large",
            "PREFMEM_VOYAGE_DIMENSIONS": "2048",
            "PREFMEM_OPENAI_BASE_URL": "http://127.0.0.1:11434/v1",
            "PREFMEM_OPENAI_EMBEDDING_MODEL": "nomic-embed-text",
            "PREFMEM_OPENAI_EMBEDDING_DIMENSIONS": "768",
        }
    )
    assert (settings.voyage.model, settings.voyage.dimensions) == ("voyage-4-large", 2048)
    assert (settings.openai.embedding_model, settings.openai.embedding_dimensions) == ("nomic-embed-text", 768)
    assert settings.openai.base_url == "http://127.0.0.1:11434/v1"


def test_budgets_and_limits_are_read_for_each_provider() -> None:
    spending = Settings.from_env(
        {
            "PREFMEM_LLM_MODE": "Record",
            "PREFMEM_RETRIES": "0",
            "PREFMEM_BUDGET_DAY_USD": "2.50",
            "PREFMEM_BUDGET_USER_USD": "0",
            "PREFMEM_VOYAGE_CONCURRENCY": "4",
            "PREFMEM_CLAUDE_TOKENS_PER_MINUTE": "80000",
        }
    ).spending
    assert (spending.mode, spending.retries) == ("record", 0)
    assert (spending.run_usd, spending.day_usd, spending.user_usd) == (None, Decimal("2.50"), Decimal(0))
    assert spending.limits == {"claude": Limits(tokens_per_minute=80_000), "voyage": Limits(concurrency=4)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PREFMEM_LLM_MODE", "cached"),
        ("PREFMEM_RETRIES", "-1"),
        ("PREFMEM_RETRIES", "many"),
        ("PREFMEM_BUDGET_RUN_USD", "-0.01"),
        ("PREFMEM_BUDGET_DAY_USD", "NaN"),
        ("PREFMEM_BUDGET_DAY_USD", "2,50 元"),
        ("PREFMEM_VOYAGE_CONCURRENCY", "0"),
        ("PREFMEM_VOYAGE_DIMENSIONS", "1024.5"),
        ("PREFMEM_OPENAI_EMBEDDING_DIMENSIONS", "９"),
        ("PREFMEM_EMBEDDER", "cohere"),
    ],
)
def test_a_value_of_no_use_is_an_error_that_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        Settings.from_env({name: value})
