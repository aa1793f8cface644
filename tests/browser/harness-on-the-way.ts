import type { BrowserContext, Request } from "playwright";

const isRefusal = /status of 401 .*\((\S+)\)$/;

const isLogout = (request: Request) => request.method() === "POST" && new URL(request.url()).pathname === "/auth/logout";

/**
 * What was on its way when a page logged out is refused, and Chromium complains of that. (A page that is slow still asks for what it shows
 * at first; what it asks for afterwards is a fault.)
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
      // Two requests are not always reported in the order in which the page made them.
      if (this.#isLoggingOut) this.#late.add(url);
    });
    const end = (request: Request) => {
      if (isLogout(request)) this.#isLoggingOut = false;
      this.#open.delete(request.url());
    };
    context.on("requestfinished", end);
    context.on("requestfailed", end);
  }

  /** Whether a complaint says nothing else. */
  explains(complaint: string): boolean {
    return this.#late.has(isRefusal.exec(complaint)?.[1] ?? "");
  }

  /** Another test begins. */
  clear(): void {
    this.#late.clear();
  }
}
