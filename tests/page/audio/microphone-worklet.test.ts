import { afterAll, expect, test, vi } from "vitest";

interface Processor {
  process(inputs: Float32Array[][]): boolean;
}

const given: Float32Array[] = [];
let make: (new () => Processor) | undefined;

vi.stubGlobal("sampleRate", 48_000);
vi.stubGlobal(
  "AudioWorkletProcessor",
  class {
    port = { postMessage: (samples: Float32Array) => given.push(samples) };
  },
);
vi.stubGlobal("registerProcessor", (_: string, processor: new () => Processor) => {
  make = processor;
});

afterAll(() => void vi.unstubAllGlobals());

test("keeps the sound of a tab whose channels cancel each other out", async () => {
  await import("#src/audio/microphone.worklet.ts");
  const processor = make && new make();
  const left = new Float32Array(128).fill(0.5);
  const right = left.map((sample) => -sample);
  for (let quantum = 0; quantum < 400; quantum += 1) processor?.process([[left, right]]);
  expect(processor?.process([[]])).toBe(true);
  expect(given).toHaveLength(50);
  expect(given.at(-1)).toEqual(new Float32Array(1024).fill(0.5));
});
