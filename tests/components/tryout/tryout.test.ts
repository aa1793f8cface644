import { expect, onTestFinished, test } from "vitest";
import { tryOutPath } from "#contract/index.ts";
import { openPage, page, recognize } from "#tests/components/harness.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const words = page.getByTestId("try-out-words");

/** A server that lets visitors try these languages. */
function offerTries(languages: string): void {
  const fact = document.createElement("meta");
  fact.name = "parlance-tries";
  fact.content = languages;
  document.head.append(fact);
  onTestFinished(() => fact.remove());
}

test("a visitor speaks on the landing page, loses no word with the connection, and keeps it or throws it away", async () => {
  offerTries("de-DE en");
  const realtime = recognize({ path: tryOutPath });
  await openPage("/", { as: "visitor" });
  await button("Try it without an account").click();
  await expect.element(page.getByText("The server recognises what you say and keeps nothing of it.")).toBeVisible();
  const start = button("Start recording");
  await expect.element(start).toHaveFocus();
  const language = page.getByRole("combobox", { name: "Spoken language" });
  // The interface's language comes first.
  await expect.element(language).toHaveValue("en");
  await language.selectOptions("de-DE");
  await start.click();
  await expect.element(page.getByText(/^0:0\d of 0:30$/)).toBeVisible();
  await expect.element(language).not.toBeInTheDocument();
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  expect(realtime.starts).toMatchObject([{ type: "start", sourceLanguage: "de-DE" }]);
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
  await expect.element(page.getByRole("link", { name: "Sign up and keep it" })).toHaveAttribute("href", "/signup");
  await expect.element(start).not.toBeInTheDocument();
  await button("Throw it away").click();
  await expect.element(start).toBeVisible();
  await expect.element(words).not.toBeInTheDocument();
});

test("the try-out names its only language, says what to do without a microphone, and is not offered where no language can be tried", async () => {
  offerTries("en");
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"));
  onTestFinished(() => void Object.assign(mediaDevices, { getUserMedia: ask }));
  await openPage("/", { as: "visitor" });
  await button("Try it without an account").click();
  await expect.element(page.getByText("Speak English.")).toBeVisible();
  await button("Start recording").click();
  await expect.element(page.getByText("There is no microphone.")).toBeVisible();
  const upload = page.getByRole("link", { name: "Sign up and upload a recording" });
  await expect.element(upload).not.toBeInTheDocument();
  Object.defineProperty(navigator, "mediaDevices", { value: undefined, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "mediaDevices"));
  await button("Start recording").click();
  await expect.element(upload).toHaveAttribute("href", "/signup");
  await expect.element(page.getByText("There is no microphone.")).not.toBeInTheDocument();
  document.querySelector("meta[name=parlance-tries]")?.remove();
  await openPage("/about", { as: "visitor" });
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(button("Try it without an account")).not.toBeInTheDocument();
});
