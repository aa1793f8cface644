import { afterAll, vi } from "vitest";

// Test files share a worker's process because starting one takes longer than most tests. Each file still gets its own
// modules (many of the page's are singletons) and leaves no stubs to the next file.

vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
