import { expect, type Parlance, type Person } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import type { SoundCard } from "#tests/browser/harness-sound.ts";
import {
  button,
  buttonLike,
  field,
  heading,
  link,
  linkLike,
  marked,
  type Place,
  type Tab,
  text,
} from "#tests/browser/harness-tab.ts";
import { passphrase, putVault, subscribe } from "#tests/browser/harness-vault.ts";

/** What a walk needs. */
export interface Walker {
  tab: Tab;
  server: Parlance;
  sound: SoundCard;
}

/** The word that is being played, by a class of the style sheet. */
const spokenWord: Place = '//*[@data-start][contains(@class, "spoken")]';
const captioned = (words: readonly string[]): Place =>
  `//*[@data-testid="captions"][${words.map((word) => `contains(., "${word}")`).join(" or ")}]`;
const anyWord: Place = "//*[@data-start]";
const fileField: Place = '//main//input[@type="file"]';

/** Walks through all main tasks once, from the landing page to the sign-out. */
export async function walk(walker: Walker): Promise<void> {
  const person = await signUp(walker);
  await lackMicrophone(walker);
  await dictate(walker);
  await upload(walker);
  await listen(walker);
  await correct(walker);
  await keepInVault(walker, person);
  await translate(walker);
  await signOut(walker);
}

async function signUp({ tab, server }: Walker): Promise<Person> {
  const person = { email: `${crypto.randomUUID()}@example.org`, password: `correct horse ${crypto.randomUUID()}` };
  await tab.open(new URL("/", server.url).href);
  await tab.click(link("Create account"));
  await tab.fill(field("E-mail"), person.email);
  await tab.fill(field("Password"), person.password);
  await tab.click('//main//button[@type="submit"]');
  await expect.poll(() => tab.path()).toBe("/dashboard");
  return person;
}

/**
 * Imitates a WebKit that was built or started without a microphone: the page names what is missing, and records once it
 * is there.
 */
async function lackMicrophone({ tab }: Walker): Promise<void> {
  await tab.click(link("Speech to text"));
  await tab.evaluate(`void Object.defineProperty(navigator, "mediaDevices", { value: undefined, configurable: true })`);
  await tab.click(button("Start recording"));
  await tab.see('//*[@role="alert"][contains(., "getUserMedia is missing")]');
  await tab.see(link("Upload a recording instead"));
  await tab.evaluate("void delete navigator.mediaDevices");
}

/** A loaded machine loses some of the sound, so the file is played until a part of it is recognized. */
async function dictate({ tab, sound }: Walker): Promise<void> {
  await tab.click(link("Speech to text"));
  await tab.click(button("Start recording"));
  await tab.see(button("Stop"));
  let isHeard = false;
  const hearing = tab.see(captioned(["call", "back", "people", "today"])).finally(() => {
    isHeard = true;
  });
  const speaking = (async () => {
    while (!isHeard) await sound.say(fixture("microphone.wav"));
  })();
  await hearing;
  await tab.click(button("Stop"));
  await tab.see(anyWord);
  await speaking;
}

async function upload({ tab }: Walker): Promise<void> {
  await tab.click(link("Speech to text"));
  await tab.attach(fileField, fixture("market.wav"));
  await tab.see('//*[@data-testid="upload"][@data-state="completed"][contains(., "small market near the harbor")]');
  await tab.click(linkLike("Open"));
  await tab.see(anyWord);
}

/** Plays the recording to its end, and expects the highlighted word to move on. */
async function listen({ tab }: Walker): Promise<void> {
  await tab.click(button("Play"));
  await tab.see(spokenWord);
  await tab.see(`(${anyWord})[last()][contains(@class, "spoken")]`);
  await tab.see(button("Play"));
}

/** Expects the correction to survive a reload. */
async function correct({ tab }: Walker): Promise<void> {
  await tab.click('//li[@data-index]//*[@data-field="text"]');
  await tab.fill("//li[@data-index]//textarea", "There is a large market.");
  await tab.enter("//li[@data-index]//textarea");
  await tab.see(text("large"));
  await expect.poll(() => tab.evaluate(`document.body.textContent.includes("Saving…")`)).toBe(false);
  await tab.open(String(await tab.evaluate("location.href")));
  await tab.see('//li[@data-index][contains(., "large market")]');
}

/**
 * Uses a vault that was created through the API: in this engine, creating one takes as long as the rest of the walk.
 */
async function keepInVault({ tab, server }: Walker, person: Person): Promise<void> {
  subscribe(server, person);
  await putVault(server, String(await tab.evaluate(`localStorage.getItem("jwtToken")`)));
  await tab.open(new URL("/encrypted-audio", server.url).href);
  await tab.fill(field("Passphrase"), passphrase);
  await tab.enter(field("Passphrase"));
  await tab.see(heading("In the vault"));
  await tab.attach(fileField, fixture("market.wav"));
  await tab.see(marked("vault-item"));
  await tab.click(`${marked("vault-item")}${buttonLike("Play")}`);
  await tab.see(button("Pause"));
  await expect
    .poll(() => tab.evaluate(`Number(document.querySelector("[data-testid=vault-item] input[type=range]").value)`))
    .toBeGreaterThan(0.5);
}

async function translate({ tab }: Walker): Promise<void> {
  await tab.click(link("Voice translator"));
  await tab.fill(field("Type in Spanish"), "Muchas gracias.");
  await tab.click(button("Translate"));
  await tab.see(`${marked("words-0")}//*[contains(., "hank")]`);
}

async function signOut({ tab }: Walker): Promise<void> {
  await tab.click(button("Log out"));
  await expect.poll(() => tab.path()).toBe("/signin");
  expect(await tab.evaluate(`localStorage.getItem("jwtToken")`)).toBeNull();
}
