import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Builder, By, error, Key, type WebDriver, type WebElement } from "selenium-webdriver";
import * as v from "valibot";
import { findExecutable, findMiniBrowser, installCommand } from "#scripts/tools.mjs";
import { freePort } from "#tests/fixtures/free-port.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { type Driver, isPressable, onElements, type Tab, until } from "./harness-tab.ts";

/** WebKitGTK's own MiniBrowser. Features that it disables by default would be refused to the page. */
const browserOptions = ["--automation", "--enable-media-stream=true", "--geometry=1280x900"];

/** Records the page's complaints, which WebDriver's classic commands don't report. */
const listening = `
  globalThis.complaints ??= (() => {
    const all = [];
    addEventListener("error", (event) => all.push("Uncaught " + (event.error?.stack ?? event.message)));
    addEventListener("unhandledrejection", (event) => all.push("Unhandled " + (event.reason?.stack ?? event.reason)));
    addEventListener("securitypolicyviolation", (event) => all.push(event.violatedDirective + " refused " + event.blockedURI));
    return all;
  })()`;

/**
 * Opens Debian's WebKit (MiniBrowser on a virtual screen) through WebKitWebDriver.
 * @param env variables for its sound (harness-sound.ts)
 * @throws Error that says how to install it
 */
export async function openWebKit(env: Readonly<Record<string, string>>): Promise<Tab> {
  const [driverPath, screenPath, binary] = [findExecutable("WebKitWebDriver"), findExecutable("Xvfb"), findMiniBrowser()];
  if (driverPath === undefined || screenPath === undefined || binary === undefined)
    throw new Error(`WebKit or its screen is missing. Install them: ${installCommand(["webkit2gtk-driver", "xvfb"])}`);
  await using started = new AsyncDisposableStack();
  const home = await makeTemporaryFolder();
  started.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const screen = await startScreen(screenPath);
  started.defer(() => end(screen.child));
  const port = await freePort();
  const driving = spawn(driverPath, [`--port=${port}`], {
    env: { ...process.env, ...(await settings(home)), ...env, DISPLAY: screen.display },
    stdio: "ignore",
    // A separate process group: the driver starts a browser, which starts other processes.
    detached: true,
  });
  started.defer(() => end(driving));
  const driver = await openSession(`http://127.0.0.1:${port}`, { binary, args: browserOptions });
  started.defer(() => driver.quit().catch(() => {}));
  const ending = started.move();
  return { ...tabOf(driver), [Symbol.asyncDispose]: () => ending.disposeAsync() };
}

/** An empty home folder without animations, and without a graphics card. */
async function settings(home: string): Promise<Record<string, string>> {
  await mkdir(join(home, "gtk-3.0"));
  await writeFile(join(home, "gtk-3.0", "settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  return {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: join(home, "data"),
    XDG_CACHE_HOME: join(home, "cache"),
    LANG: "en_GB.UTF-8",
    GDK_BACKEND: "x11",
    NO_AT_BRIDGE: "1",
    WEBKIT_DISABLE_DMABUF_RENDERER: "1",
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  };
}

async function startScreen(program: string): Promise<{ child: ChildProcess; display: string }> {
  // Xvfb takes the first free display, and writes its number to file descriptor 3.
  const child = spawn(program, ["-displayfd", "3", "-screen", "0", "1280x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  const told = child.stdio[3];
  if (!(told instanceof Readable)) throw new Error("Xvfb has no way to say which display it has.");
  const [data] = await Promise.race([
    once(told, "data"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code}.`))),
  ]);
  return { child, display: `:${String(data).trim()}` };
}

/** The driver listens only a moment after its start. */
async function openSession(url: string, options: object): Promise<WebDriver> {
  const isNotThere = (problem: unknown) => problem instanceof TypeError;
  await until("the WebKit driver answers", isNotThere, async () => (await fetch(`${url}/status`)).ok);
  return new Builder()
    .usingServer(url)
    .withCapabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options })
    .build();
}

/** The page has replaced the element, or another element covers it. */
const isStale = (problem: unknown) => problem instanceof error.WebDriverError;

function tabOf(driver: WebDriver): Omit<Tab, typeof Symbol.asyncDispose> {
  const elements: Driver<WebElement> = {
    isStale,
    find: (place) => driver.findElements(By.xpath(place)),
    isShown: (element) => element.isDisplayed(),
    isPressable: async (element) => (await driver.executeScript(`return (${isPressable})(arguments[0]);`, element)) === true,
    click: (element) => element.click(),
    fill: async (element, text) => {
      await driver.executeScript("arguments[0].select()", element);
      await element.sendKeys(text);
    },
    enter: (element) => element.sendKeys(Key.ENTER),
    attach: (element, path) => element.sendKeys(path),
  };
  const evaluate = (expression: string) => driver.executeScript<unknown>(`return (${expression});`);
  return {
    ...onElements(elements),
    open: async (url) => {
      await driver.get(url);
      await evaluate(listening);
    },
    path: async () => new URL(await driver.getCurrentUrl()).pathname,
    evaluate,
    complaints: async () => v.parse(v.array(v.string()), await evaluate(listening)),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
