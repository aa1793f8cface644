import { type Browser, type BrowserContextOptions, type ConsoleMessage, chromium, type Page } from "playwright";
import { findChromium, findHeadlessShell, installCommand } from "#scripts/tools.mjs";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { OnTheWay } from "./harness-on-the-way.ts";
import { openProfile } from "./harness-profiles.ts";

/** No background traffic; `--no-sandbox` allows root in a container. */
const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

/**
 * Whether traces include snapshots of the page. This makes a test half as long again, and the recorder's requests for
 * pictures count as the page's. Without it, a trace has the actions, results, times and the console.
 */
const showsPages = process.env.TRACES === "full";

/** A WAV file that plays once when the page starts to listen, a denied permission, or no microphone. */
type Microphone = { speaks: string } | "refused" | "missing";

export interface BrowserOptions {
  /** Default: "missing". */
  microphone?: Microphone;
  args?: readonly string[];
  /**
   * Whether Chromium's headless shell is enough, where it is installed. The shell can't refuse a microphone; for that,
   * Chromium itself is used.
   */
  shell?: boolean;
}

interface BrowserDefaults {
  shell: boolean;
  traces: boolean;
  reuse: boolean;
  flags: readonly string[];
  /** Timeout of the page's actions in ms. Default: Playwright's own 30 s. */
  timeoutMs?: number;
}

/** Tests set these (harness-each.ts). Benchmarks measure an ordinary browser without any observer. */
export const browserDefaults: BrowserDefaults = {
  shell: false,
  traces: false,
  reuse: false,
  flags: [],
};

function microphoneFlags(microphone: Microphone): string[] {
  if (microphone === "missing") return [];
  const fake = "--use-fake-device-for-media-stream";
  if (microphone === "refused") return [fake, "--deny-permission-prompts"];
  return [fake, "--use-fake-ui-for-media-stream", `--use-file-for-fake-audio-capture=${microphone.speaks}%noloop`];
}

/** The shell's page crashes when it is asked for its recognition languages, because the service is missing. */
const shellFlags = ["--disable-blink-features=OnDeviceWebSpeechAvailable"];

/**
 * The path of Chromium (CHROMIUM, or the installed one).
 * @throws Error that says how to install it
 */
function chromiumPath(): string {
  const path = findChromium();
  if (path === undefined)
    throw new Error(`Chromium is missing. Install it (${installCommand(["chromium"])}) or name it: CHROMIUM=/path`);
  return path;
}

export function openBrowser({
  microphone = "missing",
  args = [],
  shell = browserDefaults.shell,
}: BrowserOptions = {}): Promise<Browser> {
  // CHROMIUM overrides the headless shell.
  const quick = shell && microphone !== "refused" && !process.env.CHROMIUM ? findHeadlessShell() : undefined;
  return chromium.launch({
    executablePath: quick ?? chromiumPath(),
    args: [
      ...chromiumFlags,
      ...(quick === undefined ? [] : shellFlags),
      ...microphoneFlags(microphone),
      ...browserDefaults.flags,
      ...args,
    ],
  });
}

export interface PageOptions {
  context?: BrowserContextOptions;
  /** Console messages that do not fail the test ("Failed to load resource" while the server is away). */
  expected?: readonly RegExp[];
}

/**
 * One page in a new or emptied browser profile. Disposal navigates away from the page; the profile stays until `end`,
 * so that a trace can be saved.
 */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Expects such complaints from now on. */
  expect(pattern: RegExp): void;
  /** Expects only these complaints from now on. */
  expectOnly(expected: readonly RegExp[]): void;
  /** Returns each unexpected console error, uncaught exception and CSP violation once, and clears the list. */
  takeUnexpected(): string[];
  /** The page's address and readable text, now or at its disposal. */
  lastSeen(): Promise<string>;
  /**
   * Saves the actions since the last trace.
   * @param path the path of the zip file
   */
  saveTrace(path: string): Promise<void>;
  /** Closes the profile, or empties it for another test. */
  end(): Promise<void>;
}

/** SPEC.md section 4: a 404 for the subscription means the free plan. Any request may get it, also a preloaded link. */
const isFree = /status of 404 .*\/subscriptions\/(me|account\/subscription)\)$/;

/** Chromium requests the icon when the page names none: at /robots.txt (openSignedIn). */
const isIcon = /status of 404 .*\/favicon\.ico\)$/;

/** The page between tests (harness-profiles.ts); the API has no such file. */
const isEmptyPage = /status of 404 .*\/robots\.txt\)$/;
/** The stream of events for a transcript that is deleted while its page still opens. */
const isDeleted = /status of 404 .*\/transcription\/[^/]+\/events\)$/;
const alwaysExpected = [isFree, isIcon, isEmptyPage, isDeleted];

/** All visits that the running test has opened; harness-each.ts reads and empties the list. */
export const openedVisits: Visit[] = [];

/** Opens a page and records its complaints, which fail the test at its end (harness-each.ts). */
export async function openPage(browser: Browser, { context = {}, expected = [] }: PageOptions = {}): Promise<Visit> {
  const options: BrowserContextOptions = {
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // Without a graphics card, the tests' own processors draw each frame of an animation.
    reducedMotion: "reduce",
    // Tests can neither observe nor delay a service worker's answers, so only tests of the service worker allow one.
    serviceWorkers: "block",
    ...context,
  };
  const { traces, reuse, timeoutMs } = browserDefaults;
  const profile = await openProfile(browser, options, reuse, async (profileContext, isNew) => {
    if (timeoutMs !== undefined && isNew) profileContext.setDefaultTimeout(timeoutMs);
    const { tracing } = profileContext;
    if (!traces) return;
    if (isNew) await tracing.start({ snapshots: showsPages, screenshots: showsPages });
    else {
      // Starts a new chunk, without the actions before it.
      await tracing.stopChunk();
      await tracing.startChunk();
    }
  });
  const { page } = profile;
  if (options.javaScriptEnabled !== false) {
    awaitTakeover(page);
    profile.context.on("page", awaitTakeover);
  }
  let patterns = [...expected, ...alwaysExpected];
  let complaints: string[] = [];
  const onTheWay = new OnTheWay(profile.context);
  page.on("console", (message) => {
    const complaint = `${message.text()} (${message.location().url || page.url()})`;
    if (isComplaint(message) && !onTheWay.explains(complaint)) complaints.push(complaint);
  });
  page.on("pageerror", (error) => complaints.push(`Uncaught ${textOf(error)}`));

  let seen: string | undefined;
  const visit: Visit = {
    page,
    expect: (pattern) => {
      patterns.push(pattern);
    },
    expectOnly: (only) => {
      patterns = [...only, ...alwaysExpected];
      onTheWay.clear();
    },
    takeUnexpected: () => {
      const unexpected = complaints.filter((complaint) => !patterns.some((pattern) => pattern.test(complaint)));
      complaints = [];
      return unexpected;
    },
    saveTrace: async (path) => {
      await profile.context.tracing.stopChunk({ path });
      await profile.context.tracing.startChunk();
    },
    lastSeen: async () => seen ?? readable(page),
    end: () => profile.release(),
    [Symbol.asyncDispose]: async () => {
      if (!traces) return profile.release();
      seen = await readable(page);
      await profile.leave();
    },
  };
  openedVisits.push(visit);
  return visit;
}

/** Timeout in ms for reading a page that is gone or computes without end. */
const readableMs = timeLimit(2_000);

async function readable(page: Page): Promise<string> {
  const text = await page
    .locator("body")
    .ariaSnapshot({ timeout: readableMs })
    .catch((error: unknown) => `(${error instanceof Error ? error.message : error})`);
  return `${page.url()}\n${text}`;
}

/** A value that is not an `Error` (a DOMException, a string) has no stack; `stack` is "" then. */
const textOf = ({ stack, name, message }: Error) => stack || [name, message].filter((part) => part !== "").join(": ");

/** Paths of pages that the server renders as HTML. */
const arrivesAsHtml = /^\/(about|terms|privacy|signin|signup|blog(\/[^/]+)?)?$/;

const awaited = new WeakSet<Page>();

/**
 * Makes `goto` and `reload` wait until the page's script has hydrated the HTML, as most users do.
 * server-rendered.test.ts tests earlier input and sets its own `waitUntil`.
 */
function awaitTakeover(page: Page): void {
  if (awaited.has(page)) return;
  awaited.add(page);
  const takeover = async (said: string | undefined) => {
    if (said !== undefined || !arrivesAsHtml.test(new URL(page.url()).pathname)) return;
    await page.locator("html:not([data-page])").waitFor({ state: "attached" });
  };
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    await takeover(options?.waitUntil);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await takeover(options?.waitUntil);
    return response;
  };
}

/** Chromium reports a CSP violation as an error, or as a warning when the policy is report-only. */
function isComplaint(message: ConsoleMessage): boolean {
  return (
    message.type() === "error" || (message.type() === "warning" && /content security policy|trusted ?type/i.test(message.text()))
  );
}
