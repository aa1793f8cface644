import { type Browser, type BrowserContextOptions, type ConsoleMessage, chromium, type Page } from "playwright";
import { findChromium, findHeadlessShell, installCommand } from "#scripts/tools.mjs";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { OnTheWay } from "./harness-on-the-way.ts";
import { openProfile } from "./harness-profiles.ts";

/** Nothing of it calls home, and it starts as root in a container. */
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
 * Whether traces show the page, too. That costs half as much again as the test itself, and the recorder's own requests are the page's (it
 * fetches the pictures that are shown): without, a trace has what was done and seen, how long it took, and the console.
 */
const showsPages = process.env.TRACES === "full";

/** A WAV file that is spoken once from the moment the page listens; a person who says no; or none plugged in. */
type Microphone = { speaks: string } | "refused" | "missing";

export interface BrowserOptions {
  /** Default "missing". */
  microphone?: Microphone;
  args?: readonly string[];
  /** Whether Chromium's headless shell will do, where it is installed. It can't refuse a microphone: for that, Chromium itself is taken. */
  shell?: boolean;
}

interface BrowserDefaults {
  shell: boolean;
  traces: boolean;
  reuse: boolean;
  flags: readonly string[];
  /** How long what a page is asked for may take (ms). Default: Playwright's own, half a minute. */
  timeoutMs?: number;
}

/** Tests set them (harness-each.ts); benches measure the browser that people have, and nothing that looks on. */
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

/** The shell's page crashes when it is asked which languages it recognises: it has not what would answer. */
const shellFlags = ["--disable-blink-features=OnDeviceWebSpeechAvailable"];

/** The path of Chromium (CHROMIUM, or what is installed). @throws Error that says how to install it */
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
  // Whoever names a Chromium wants that one.
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
  /** What the page may complain of without failing the test ("Failed to load resource" while the server is away). */
  expected?: readonly RegExp[];
}

/**
 * One page in a browser profile of its own, or in one that is as empty. Its disposal leaves what it shows; the profile is there until `end`,
 * so that a trace can be had.
 */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** From now on such a complaint is expected. */
  expect(pattern: RegExp): void;
  /** From now on only these are. */
  expectOnly(expected: readonly RegExp[]): void;
  /** Errors on the console, uncaught exceptions and violations of the content security policy that nobody expected; each once. */
  takeUnexpected(): string[];
  /** Its address and what could be read on it, now or when the test had done with it. */
  lastSeen(): Promise<string>;
  /** Writes down what was done since the last trace. @param path of the zip file */
  saveTrace(path: string): Promise<void>;
  /** Ends the profile, or empties it for another test. */
  end(): Promise<void>;
}

/** SPEC.md section 4: a 404 on fetching the subscription means free. Whatever asks, a link that is pointed at too, may get it. */
const isFree = /status of 404 .*\/subscriptions\/(me|account\/subscription)\)$/;

/** Chromium asks for it where no page names another one: at /robots.txt (openSignedIn). */
const isIcon = /status of 404 .*\/favicon\.ico\)$/;

/** What a page is left for (harness-profiles.ts); the API has none. */
const isEmptyPage = /status of 404 .*\/robots\.txt\)$/;
/** Of a transcript that is deleted while its page still opens: its stream of events is asked for when it is gone. */
const isDeleted = /status of 404 .*\/transcription\/[^/]+\/events\)$/;
const alwaysExpected = [isFree, isIcon, isEmptyPage, isDeleted];

/** Every one that the running test has opened; harness-each.ts reads and empties it. */
export const openedVisits: Visit[] = [];

/** Opens a page and listens to its complaints, which fail the test when it ends (harness-each.ts). */
export async function openPage(browser: Browser, { context = {}, expected = [] }: PageOptions = {}): Promise<Visit> {
  const options: BrowserContextOptions = {
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // Without a graphics card each frame of an animation is drawn by the processors that the tests run on.
    reducedMotion: "reduce",
    // What it answers, no test sees or holds back: only those that are about it have one.
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
      // Without what was done in it before.
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

/** A page that computes without end, or is gone, has nothing to read (milliseconds). */
const readableMs = timeLimit(2_000);

async function readable(page: Page): Promise<string> {
  const text = await page
    .locator("body")
    .ariaSnapshot({ timeout: readableMs })
    .catch((error: unknown) => `(${error instanceof Error ? error.message : error})`);
  return `${page.url()}\n${text}`;
}

/** What is no `Error` (a DOMException, a string) has a text without a stack, which is "" then. */
const textOf = ({ stack, name, message }: Error) => stack || [name, message].filter((part) => part !== "").join(": ");

/** Paths of pages that arrive as HTML. */
const arrivesAsHtml = /^\/(about|terms|privacy|signin|signup|blog(\/[^/]+)?)?$/;

const awaited = new WeakSet<Page>();

/**
 * What is opened or reloaded is there when the page's script has taken its HTML over: most people look at it for longer than that. Whoever
 * is quicker is in server-rendered.test.ts, which says itself what it waits for (`waitUntil`).
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

/** Chromium reports a violation of the policy as an error, or, where it is only advice, as a warning. */
function isComplaint(message: ConsoleMessage): boolean {
  return (
    message.type() === "error" || (message.type() === "warning" && /content security policy|trusted ?type/i.test(message.text()))
  );
}
