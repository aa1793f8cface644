import { afterAll, vi } from "vitest";

// The files of a worker share its process: starting one takes longer than most of their tests. Each has modules of its own all the same
// (many of the page's are one for the whole page), and leaves nothing to the next one.

vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
