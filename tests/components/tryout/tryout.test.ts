import { expect, onTestFinished, test } from "vitest";
import { tryOutPath } from "#contract/index.ts";
import { openPage, page, recognize } from "#tests/components/harness.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const start = button("Start speaking");
const sound = () => document.querySelector("audio");
const words = page.getByTestId("try-out-words");

/** Offers the try-out in these languages. */
function offerTries(languages: string): void {
  const fact = document.createElement("meta");
  fact.name = "parlance-tries";
  fact.content = languages;
  document.head.append(fact);
  onTestFinished(() => fact.remove());
}

test("records a visitor's try-out across a lost connection, and lets the visitor keep or discard it", async () => {
  offerTries("de-DE:en,fr en:es");
  const realtime = recognize({ path: tryOutPath });
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByRole("main").getByRole("link", { name: "Create account" }).first()).toBeVisible();
  await start.click();
  await expect.element(page.getByText("The server recognizes what you say and stores none of it.")).toBeVisible();
  await expect.element(page.getByText(/^0:0\d of 0:30$/)).toBeVisible();
  await expect.element(button("Stop")).toHaveFocus();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  // The interface's language and its translation are preset.
  expect(realtime.starts).toMatchObject([{ type: "start", sourceLanguage: "en", targetLanguage: "es" }]);
  realtime.final("Good morning.");
  realtime.partial("and wel", { start: 2 });
  await expect.element(words.getByText("Good morning.")).toBeVisible();
  await expect.element(words.getByText("and wel")).toBeVisible();
  realtime.close();
  await expect.poll(() => realtime.starts.length).toBe(2);
  realtime.final("And welcome.");
  await expect.element(words.getByText("And welcome.")).toBeVisible();
  await button("Stop").click();
  await expect.element(page.getByText(/^Kept in this browser for 7 days \(0:0\d\)\./)).toBeVisible();
  await expect.element(page.getByText("The rest will be transcribed once you have an account")).not.toBeInTheDocument();
  const signUp = page.getByRole("link", { name: "Create account and save" });
  await expect.element(signUp).toHaveAttribute("href", "/signup");
  await expect.element(signUp).toHaveFocus();
  await expect.poll(() => sound()?.duration).toBeGreaterThan(0.3);
  const address = sound()?.src ?? "";
  await expect.element(start).not.toBeInTheDocument();
  await button("Discard").click();
  await expect.element(start).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  await expect(fetch(address)).rejects.toThrow();
});

test("adds a translation to its sentence during the recording, and recognizes all of it again in another language", async () => {
  offerTries("de-DE:en,fr en:es");
  const realtime = recognize({ path: tryOutPath });
  await openPage("/", { as: "visitor" });
  await start.click();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  realtime.final("Good morning.");
  realtime.final("And welcome.");
  realtime.partial("to the", { start: 4 });
  const translated = { start: 0, end: 1, text: "Good morning.", words: [], translation: "Buenos días." };
  realtime.say({ type: "final", index: 0, segment: translated });
  await expect.element(words.getByText("Buenos días.")).toBeVisible();
  await expect.element(words.getByText("And welcome.")).toBeVisible();
  await expect.element(words.getByText("to the")).toBeVisible();
  await page.getByRole("combobox", { name: "Spoken language" }).selectOptions("de-DE");
  const into = page.getByRole("combobox", { name: "Translate to" });
  await expect.element(into).toHaveValue("en");
  await expect.poll(() => realtime.starts.at(-1)).toMatchObject({ sourceLanguage: "de-DE", targetLanguage: "en" });
  await into.selectOptions("No translation");
  await expect.poll(() => realtime.starts.length).toBe(3);
  expect(realtime.starts.at(-1)).not.toHaveProperty("targetLanguage");
  // A recording of half a second or less is discarded.
  await expect.poll(() => realtime.frames).toBeGreaterThan(7);
  await button("Stop").click();
  await button("Discard").click();
  await expect.element(start).toBeVisible();
});

test("names the try-out's only language, offers an upload without a microphone, and is hidden without languages", async () => {
  offerTries("en");
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"));
  onTestFinished(() => void Object.assign(mediaDevices, { getUserMedia: ask }));
  await openPage("/", { as: "visitor" });
  await start.click();
  await expect.element(page.getByText("Speak English.")).toBeVisible();
  // This server translates nothing.
  await expect.element(page.getByRole("combobox", { name: "Translate to" })).not.toBeInTheDocument();
  await expect.element(page.getByText("No microphone found.")).toBeVisible();
  const upload = page.getByRole("link", { name: "Create account and upload a recording" });
  await expect.element(upload).not.toBeInTheDocument();
  Object.defineProperty(navigator, "mediaDevices", { value: undefined, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "mediaDevices"));
  await start.click();
  await expect.element(upload).toHaveAttribute("href", "/signup");
  await expect.element(page.getByText("No microphone found.")).not.toBeInTheDocument();
  document.querySelector("meta[name=parlance-tries]")?.remove();
  await openPage("/about", { as: "visitor" });
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(start).not.toBeInTheDocument();
});
