"""A loop of one's own for one model of a provider: its wire, its tokens, and a picture."""

from base64 import b64decode

from curriculum import (
    AnthropicMessages,
    Choice,
    ContextBudget,
    Recorder,
    Recording,
    Trace,
    counter_for_model,
)

MODEL = "claude-opus-4-8"
PIXEL = b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

recorder = Recorder()
with Recording(
    recorder,
    "tiny-agent@1",
    policy="everything@1",
    budget=ContextBudget(max_input_tokens=2000, output_reserve=500),
    wire=AnthropicMessages(MODEL, max_tokens=500),
    counter=counter_for_model(MODEL),
) as recording:
    recording.record("instruction", "Be brief.")
    recording.record("image", image=PIXEL)
    recording.record("user", "What is in the picture?")
    recording.assemble(rest=Choice.admit("kept"))
    body = recording.request().body  # send these bytes
    recording.response("One pixel.")

trace = Trace.parse(recorder.text())
made = trace.assemblies[0].data
sizes = [f"+ {row.size} {row.record.kind}" for row in trace.manifest(1)]
print(f"at most {made.size} tokens, {made.bound}, by {made.counter}")
print(f"= {made.frame} around them", *sizes)
print(f"{made.band}, {len(body)} bytes")
