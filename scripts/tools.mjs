import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// What setup, doctor and the browser tests need to know about this machine. Plain JavaScript without dependencies:
// setup runs it on any Node, before anything is installed. It starts no process, so that "nothing to do" is fast.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node for everything (the npm package `node`). */
export const node26 = join(root, "node_modules", ".bin", "node");

/** @param {string[]} names */
export function findExecutable(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names) {
    for (const path of name.includes("/") ? [name] : folders.map((folder) => join(folder, name))) {
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function findChromium() {
  const named = process.env.CHROMIUM ? [process.env.CHROMIUM] : [];
  return findExecutable(...named, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
}

/** Chromium without windows: the same engine with half the processor time. */
export function findHeadlessShell() {
  return findExecutable("chromium-headless-shell");
}

export function findFirefox() {
  return findExecutable("firefox-esr", "firefox");
}

/** WebKitGTK's own browser, where Debian installs it; undefined without its driver. */
export function findMiniBrowser() {
  const versions = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"];
  if (findExecutable("WebKitWebDriver") === undefined) return undefined;
  return versions.map((version) => findLibrary(join(version, "MiniBrowser"))).find((path) => path !== undefined);
}

/** @param {string} name */
export function findLibrary(name) {
  const folders = ["/usr/local/lib", "/usr/lib", "/usr/lib64", "/lib"];
  const triplets = {
    x64: "x86_64-linux-gnu",
    arm64: "aarch64-linux-gnu",
    arm: "arm-linux-gnueabihf",
    riscv64: "riscv64-linux-gnu",
  };
  const triplet = triplets[process.arch];
  if (triplet !== undefined) folders.unshift(`/usr/lib/${triplet}`, `/lib/${triplet}`);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Modules of Debian's own Python, whatever Python is first in PATH. */
const swiftModules = "/usr/lib/python3/dist-packages/swift";

/** In the order of installation and reports. */
export const tools = [
  {
    // The npm package `node` is linked against it, and a minimal Debian lacks it.
    name: "libatomic",
    without: "Node 26 can't start, and nothing works",
    packages: ["libatomic1"],
    when: "always",
    found: () => process.platform !== "linux" || findLibrary("libatomic.so.1") !== undefined,
  },
  {
    name: "ffmpeg",
    without: "audio and video files can't be transcribed (live dictation works)",
    packages: ["ffmpeg"],
    when: "running",
    found: () => findExecutable("ffmpeg") !== undefined,
  },
  {
    name: "Apertium",
    without: "no offline translation between English and Spanish (LIBRETRANSLATE_URL or TRANSLATION_API_URL works instead)",
    packages: ["apertium", "apertium-eng-spa"],
    when: "optional",
    found: () => findExecutable("apertium") !== undefined && existsSync("/usr/share/apertium/modes/eng-spa.mode"),
  },
  {
    name: "eSpeak NG",
    without: "the server can't read translations aloud (browsers with their own voices can)",
    packages: ["espeak-ng"],
    when: "optional",
    found: () => findExecutable("espeak-ng") !== undefined,
  },
  {
    name: "WenQuanYi Micro Hei",
    without: "transcripts in Chinese, Japanese or Korean can't be saved as PDF (other formats work)",
    packages: ["fonts-wqy-microhei"],
    when: "optional",
    found: () => existsSync("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
  },
  {
    name: "Chromium",
    without: "the browser tests and the page's benches can't run",
    packages: ["chromium"],
    when: "testing",
    found: () => findChromium() !== undefined,
  },
  {
    name: "Chromium's headless shell",
    without: "the browser tests use Chromium itself and take longer",
    packages: ["chromium-headless-shell"],
    when: "testing",
    found: () => process.platform !== "linux" || findHeadlessShell() !== undefined,
  },
  {
    name: "Firefox",
    without: "the tests in Firefox can't run",
    packages: ["firefox-esr"],
    when: "testing",
    found: () => findFirefox() !== undefined,
  },
  {
    name: "WebKit",
    without: "the tests in WebKit can't run",
    packages: ["webkit2gtk-driver", "xvfb", "gstreamer1.0-pulseaudio"],
    when: "testing",
    found: () => process.platform !== "linux" || (findMiniBrowser() !== undefined && findExecutable("Xvfb") !== undefined),
  },
  {
    name: "PulseAudio",
    without: "the other browsers have no sound card, and their tests can't run",
    packages: ["pulseaudio"],
    when: "testing",
    found: () => process.platform !== "linux" || findExecutable("pulseaudio") !== undefined,
  },
  {
    name: "Flite",
    without: "the speech for the tests can't be made",
    packages: ["flite"],
    when: "testing",
    found: () => findExecutable("flite") !== undefined,
  },
  {
    name: "Poppler",
    without: "the tests that read PDFs can't run",
    packages: ["poppler-utils"],
    when: "testing",
    found: () => findExecutable("pdftotext") !== undefined,
  },
  {
    name: "age",
    without: "the test that opens an encrypted recording with another program can't run",
    packages: ["age"],
    when: "testing",
    found: () => findExecutable("age") !== undefined,
  },
  {
    // Only its modules are used, by tests/grown/s3-server.py; no service runs.
    name: "OpenStack Swift",
    without: "the tests of files in S3 can't run",
    packages: ["python3-swift"],
    when: "testing",
    found: () => existsSync(swiftModules),
  },
  {
    name: "PostgreSQL",
    without: "the tests on PostgreSQL can't run (npm run test:all)",
    packages: ["postgresql"],
    when: "testing",
    found: () => postgresPrograms() !== undefined,
  },
];

/** The program folder of the newest installed PostgreSQL, where Debian puts them. */
export function postgresPrograms() {
  const versions = "/usr/lib/postgresql";
  const newest = (existsSync(versions) ? readdirSync(versions) : []).sort((a, b) => Number(b) - Number(a));
  return newest.map((version) => join(versions, version, "bin")).find((folder) => isExecutable(join(folder, "postgres")));
}

/** @param {readonly string[]} packages */
export function installCommand(packages) {
  if (process.platform === "darwin") return `brew install ${packages.join(" ")}`;
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  return `${sudo}apt-get install ${packages.join(" ")}`;
}

/** @param {readonly string[]} paths */
export function newestChange(paths) {
  let newest = 0;
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    newest = Math.max(newest, stats.mtimeMs);
    if (stats.isDirectory()) newest = Math.max(newest, newestChange(readdirSync(path).map((name) => join(path, name))));
  }
  return newest;
}
