"""What the providers publish of the bodies that they take, as strict models: no other field, no other type.

Messages and Message Batches: platform.claude.com/docs/en/api/messages. Embeddings and rerank:
docs.voyageai.com/reference. Chat completions and embeddings: platform.openai.com/docs/api-reference.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class AnswerSchema(Shape):
    """The subset of JSON Schema that both strict modes take: every object closed, every property required."""

    type: Literal["object", "array", "string", "integer", "number", "boolean"]
    properties: dict[str, "AnswerSchema"] | None = None
    required: list[str] | None = None
    additional: Literal[False] | None = Field(default=None, alias="additionalProperties")
    items: "AnswerSchema | None" = None
    enum: Annotated[list[str], Field(min_length=1)] | None = None
    description: str | None = None

    @model_validator(mode="after")
    def closed(self) -> "AnswerSchema":
        if self.type == "object":
            assert self.properties, "an object says what it has"
            assert self.additional is False, "and that it has no more"
            assert set(self.required or ()) == set(self.properties), "all of it is required"
        assert (self.type == "array") == (self.items is not None), "a list says of what"
        return self


class CacheControl(Shape):
    type: Literal["ephemeral"]
    ttl: Literal["5m", "1h"] | None = None


class TextBlock(Shape):
    type: Literal["text"]
    text: Text
    cache_control: CacheControl | None = None


class Turn(Shape):
    role: Literal["user", "assistant"]
    content: Text | list[TextBlock]


class JSONFormat(Shape):
    type: Literal["json_schema"]
    answer: AnswerSchema = Field(alias="schema")


class OutputConfig(Shape):
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: JSONFormat | None = None


class MessagesBody(Shape):
    model: Text
    max_tokens: Annotated[int, Field(ge=1)]
    messages: Annotated[list[Turn], Field(min_length=1)]
    system: Text | list[TextBlock] | None = None
    output_config: OutputConfig | None = None
    stop_sequences: list[str] | None = None
    metadata: dict[str, Any] | None = None


class BatchItem(Shape):
    custom_id: Name
    params: MessagesBody


class BatchBody(Shape):
    requests: Annotated[list[BatchItem], Field(min_length=1, max_length=100_000)]


class VoyageEmbeddingsBody(Shape):
    input: Text | Annotated[list[Text], Field(min_length=1, max_length=1_000)]
    model: Text
    input_type: Literal["query", "document"] | None = None
    truncation: bool = True
    output_dimension: Literal[256, 512, 1024, 2048] | None = None
    output_dtype: Literal["float", "int8", "uint8", "binary", "ubinary"] = "float"
    encoding_format: Literal["base64"] | None = None


class VoyageRerankBody(Shape):
    query: Text
    documents: Annotated[list[Text], Field(min_length=1, max_length=1_000)]
    model: Text
    top_k: int | None = None
    return_documents: bool = False
    truncation: bool = True


class OpenAITurn(Shape):
    role: Literal["developer", "system", "user", "assistant"]
    content: Text


class NamedSchema(Shape):
    name: Name
    strict: bool
    answer: AnswerSchema = Field(alias="schema")


class ResponseFormat(Shape):
    type: Literal["json_schema"]
    json_schema: NamedSchema


class OpenAIChatBody(Shape):
    model: Text
    messages: Annotated[list[OpenAITurn], Field(min_length=1)]
    response_format: ResponseFormat | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None


class OpenAIEmbeddingsBody(Shape):
    model: Text
    input: Text | Annotated[list[Text], Field(min_length=1, max_length=2_048)]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Annotated[int, Field(ge=1)] | None = None
    user: str | None = None
