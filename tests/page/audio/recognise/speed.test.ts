import { expect, it, vi } from "vitest";
import { watchSpeed } from "#src/audio/recognise/speed.ts";

it("reports once that three seconds of sound take longer than two", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const onSlow = vi.fn();
  const watch = watchSpeed(onSlow);
  const recognize = (durationSeconds: number, work: number) =>
    watch({ durationSeconds }, async () => {
      now += work * 1000;
    });
  await recognize(1, 3);
  await recognize(5, 0.5);
  await recognize(3, 1.9);
  await recognize(2.9, 20);
  expect(onSlow).not.toHaveBeenCalled();
  await recognize(0.1, 0);
  await recognize(3, 9);
  expect(onSlow).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
