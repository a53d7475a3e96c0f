"""A chat with memory: recall before the answer, remember after it.

    python examples/chat.py                                   # offline: a stand-in that says what it was given
    ANTHROPIC_API_KEY=… python examples/chat.py --claude      # Claude answers; pip install 'prefmem-pg[claude]'

Every line that you type is a message; an empty one ends the chat. The database is the one of the environment
(PREFMEM_DATABASE_URL), or else an embedded one in ./.prefmem.
"""

import sys
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from prefmem_pg import PreferenceMemory
from prefmem_pg.contrib.answers import answer_offline
from prefmem_pg.domain.chats import ChatContext

INSTRUCTION = "You are a helpful assistant. Answer in the language of the user, in a few sentences."
MODEL = "claude-sonnet-5-5"

Model = Callable[[ChatContext], str]


def chat(memory: PreferenceMemory, user_id: str, said: Iterable[str], model: Model, *, session_id: str) -> list[str]:
    """Answer what a user says, message by message, and return the answers. This loop is all that it takes."""
    answers = []
    for message in said:
        context = memory.chat_context(user_id, message, session_id=session_id)

        answer = model(context)

        turns = [{"role": "user", "content": message}, {"role": "assistant", "content": answer}]
        memory.add_messages(user_id, turns, session_id=session_id)
        memory.extract(user_id=user_id)
        answers.append(answer)
    return answers


def claude(client: Any) -> Model:  # Any: an anthropic.Anthropic, which need not be installed
    """Return a model that asks Claude; what is known of the user stands apart from the instructions, as data."""

    def answer(context: ChatContext) -> str:
        system = [{"type": "text", "text": text} for text in (INSTRUCTION, context.system) if text]
        reply = client.messages.create(model=MODEL, max_tokens=500, system=system, messages=list(context.messages))
        return "".join(block.text for block in reply.content if block.type == "text")

    return answer


def main(arguments: Sequence[str]) -> None:
    with ExitStack() as stack:
        model = answer_offline
        if "--claude" in arguments:
            from anthropic import Anthropic

            model = claude(stack.enter_context(Anthropic()))
        memory = stack.enter_context(PreferenceMemory.from_env())
        for line in iter(lambda: sys.stdin.readline().strip(), ""):
            sys.stdout.write(f"{chat(memory, 'you', [line], model, session_id=SESSION)[0]}\n")
            sys.stdout.flush()


SESSION = f"chat-{uuid.uuid4()}"

if __name__ == "__main__":
    main(sys.argv[1:])
