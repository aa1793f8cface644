import { expect, test } from "vitest";
import { refusalOf, rememberRefusals } from "#server/http/optional-fields.ts";
import { RemoteError } from "#server/http/remote.ts";

const fields = ["prompt", "language", "temperature"].map((key) => ({ key, pattern: refusalOf(key) }));

async function leftOutAfter(body: string): Promise<string[]> {
  const askWithout = rememberRefusals();
  const failing = new RemoteError("status", "It failed.", { status: 500, body });
  await askWithout(fields, async (leftOut) => {
    if (leftOut.size === 0) throw failing;
  }).catch(() => {});
  return askWithout(fields, async (leftOut) => [...leftOut]);
}

test.each([
  [
    `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","param":"temperature"}}`,
    "temperature",
  ],
  ["`temperature` (0.0) has to be a strictly positive float", "temperature"],
  ["temperature is deprecated for this model", "temperature"],
  ['{"detail":[{"loc":["body","language"],"msg":"Input should be another one"}]}', "language"],
  ["Unsupported language: xx", "language"],
  ["'xx' is not a valid language code", "language"],
  ["language fi doesn't work: it isn't supported", "language"],
  ["Unrecognized request argument supplied: prompt", "prompt"],
  ["This model does not support prompt", "prompt"],
])("leaves out a field that the server refuses: %s", async (body, key) => expect(await leftOutAfter(body)).toEqual([key]));

test.each([
  "The language model is overloaded, and not available at the moment.",
  "Invalid prompt: your prompt was flagged as it may violate our usage policy.",
  "The prompt could not be read. The service is not available.",
  "Unknown failure in language_detection",
  "CUDA error at a temperature of 91 degrees",
  "<html><title>Unsupported language</title></html>",
])("leaves out no field after another failure: %s", async (body) => expect(await leftOutAfter(body)).toEqual([]));
