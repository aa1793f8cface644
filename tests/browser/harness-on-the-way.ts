import type { BrowserContext, Request } from "playwright";

const isRefusal = /status of 401 .*\((\S+)\)$/;

const isLogout = (request: Request) => request.method() === "POST" && new URL(request.url()).pathname === "/auth/logout";

/**
 * Explains console errors of requests that were pending when a page logged out: the server refuses them. (A slow page
 * may still load its first content then; a later request is a fault.)
 */
export class OnTheWay {
  readonly #open = new Set<string>();
  readonly #late = new Set<string>();
  #isLoggingOut = false;

  constructor(context: BrowserContext) {
    context.on("request", (request) => {
      const url = request.url();
      if (isLogout(request)) {
        this.#isLoggingOut = true;
        for (const each of this.#open) this.#late.add(each);
        return;
      }
      this.#open.add(url);
      // Requests are not always reported in the page's order.
      if (this.#isLoggingOut) this.#late.add(url);
    });
    const end = (request: Request) => {
      if (isLogout(request)) this.#isLoggingOut = false;
      this.#open.delete(request.url());
    };
    context.on("requestfinished", end);
    context.on("requestfailed", end);
  }

  /** Whether the complaint is only about such a request. */
  explains(complaint: string): boolean {
    return this.#late.has(isRefusal.exec(complaint)?.[1] ?? "");
  }

  /** Resets the state for another test. */
  clear(): void {
    this.#late.clear();
  }
}
