import { expect, onTestFinished, test } from "vitest";
import { tryOutPath } from "#contract/index.ts";
import { openPage, page, recognize } from "#tests/components/harness.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const start = button("Start speaking");
const sound = () => document.querySelector("audio");
const words = page.getByTestId("try-out-words");

/** A server that lets visitors try these languages. */
function offerTries(languages: string): void {
  const fact = document.createElement("meta");
  fact.name = "parlance-tries";
  fact.content = languages;
  document.head.append(fact);
  onTestFinished(() => fact.remove());
}

test("a visitor speaks with one press, loses no word with the connection, and keeps it or throws it away", async () => {
  offerTries("de-DE:en,fr en:es");
  const realtime = recognize({ path: tryOutPath });
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByRole("main").getByRole("link", { name: "Create account" }).first()).toBeVisible();
  await start.click();
  await expect.element(page.getByText("The server recognises what you say and keeps nothing of it.")).toBeVisible();
  await expect.element(page.getByText(/^0:0\d of 0:30$/)).toBeVisible();
  await expect.element(button("Stop")).toHaveFocus();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  // The interface's language comes first, and is translated.
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
  await expect.element(page.getByText(/^0:0\d are kept in this browser, seven days at most\./)).toBeVisible();
  await expect.element(page.getByText("What is not written down yet")).not.toBeInTheDocument();
  const signUp = page.getByRole("link", { name: "Create account and keep it" });
  await expect.element(signUp).toHaveAttribute("href", "/signup");
  await expect.element(signUp).toHaveFocus();
  await expect.poll(() => sound()?.duration).toBeGreaterThan(0.3);
  const address = sound()?.src ?? "";
  await expect.element(start).not.toBeInTheDocument();
  await button("Throw it away").click();
  await expect.element(start).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
  await expect(fetch(address)).rejects.toThrow();
});

test("a translation joins its sentence while somebody goes on speaking, and other languages have all of it heard again", async () => {
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
  // Of half a second or less nothing is kept: a slip of the finger.
  await expect.poll(() => realtime.frames).toBeGreaterThan(7);
  await button("Stop").click();
  await button("Throw it away").click();
  await expect.element(start).toBeVisible();
});

test("the try-out names its only language, says what to do without a microphone, and is not offered where no language can be tried", async () => {
  offerTries("en");
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"));
  onTestFinished(() => void Object.assign(mediaDevices, { getUserMedia: ask }));
  await openPage("/", { as: "visitor" });
  await start.click();
  await expect.element(page.getByText("Speak English.")).toBeVisible();
  // Nothing is translated here.
  await expect.element(page.getByRole("combobox", { name: "Translate to" })).not.toBeInTheDocument();
  await expect.element(page.getByText("There is no microphone.")).toBeVisible();
  const upload = page.getByRole("link", { name: "Create account and upload a recording" });
  await expect.element(upload).not.toBeInTheDocument();
  Object.defineProperty(navigator, "mediaDevices", { value: undefined, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "mediaDevices"));
  await start.click();
  await expect.element(upload).toHaveAttribute("href", "/signup");
  await expect.element(page.getByText("There is no microphone.")).not.toBeInTheDocument();
  document.querySelector("meta[name=parlance-tries]")?.remove();
  await openPage("/about", { as: "visitor" });
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(start).not.toBeInTheDocument();
});
