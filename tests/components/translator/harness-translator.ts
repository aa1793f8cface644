import { expect } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { ConversationTurn, Segment, Transcription } from "#contract/index.ts";
import { answer, openPage, page, type Realtime } from "#tests/components/harness.ts";
import { transcriptionOf } from "#tests/components/harness-transcripts.ts";

/** A server that stores a conversation. */
export interface ConversationServer {
  segments: Segment[];
  /** The received calls, in order. */
  calls: { call: string; body: unknown }[];
  /** The received translation requests. */
  translations: { text: string; source: string; target: string }[];
  conversation(): Transcription;
}

const turnCall = "/api/v1/audio-transcriptions/conversations/:conversation/turns/:turn";

/** A server that translates texts into capitals and stores turns. */
export function converse(): ConversationServer {
  const conversation = (): Transcription =>
    transcriptionOf({
      id: "talk",
      sourceLanguage: "en",
      targetLanguage: "de",
      origin: "conversation",
      segments: server.segments,
    });
  const server: ConversationServer = { segments: [], calls: [], translations: [], conversation };
  answer({
    "GET /languages/codes": builtInLanguages,
    "POST /api/v1/translations": async ({ request }) => {
      const asked = await request.json();
      server.translations.push(asked);
      return { text: asked.text.toUpperCase() };
    },
    [`PUT ${turnCall}`]: async ({ request, params }) => {
      const body: ConversationTurn = await request.json();
      server.calls.push({ call: "turn", body });
      const { sourceLanguage: language, targetLanguage: translationLanguage } = body;
      const turn = String(params.turn);
      server.segments = [
        ...server.segments.filter((segment) => segment.turn !== turn),
        ...body.segments.map((segment) => ({ ...segment, turn, language, translationLanguage })),
      ];
      return conversation();
    },
    [`DELETE ${turnCall}`]: ({ params }) => {
      server.calls.push({ call: "deletion", body: params.turn });
      server.segments = server.segments.filter(({ turn }) => turn !== params.turn);
      return conversation();
    },
    "GET /api/v1/audio-transcriptions/transcription/:id": conversation,
    "PUT /audio/remove-transcription/:id": async ({ request }) => {
      const body = await request.json();
      server.calls.push({ call: "correction", body });
      for (const { index, text } of body.edits) {
        const before = server.segments[index];
        if (before !== undefined)
          server.segments = server.segments.with(index, { ...before, text, translation: text.toUpperCase() });
      }
      return conversation();
    },
  });
  return server;
}

/**
 * Opens the translator for a new user, so that no test sees another test's conversations.
 * @returns the user's id
 */
export async function openTranslator(options: Parameters<typeof openPage>[1] = {}): Promise<string> {
  const id = crypto.randomUUID();
  await openPage("/voice-translator", { as: "premium", ...options, profile: { id } });
  return id;
}

export const button = (name: string) => page.getByRole("button", { name, exact: true });
/** The button that records English. */
export const english = page.getByRole("button", { name: /^English/ });
export const words = (side: 0 | 1) => page.getByTestId(`words-${side}`);
export const status = page.getByTestId("status");
export const turnTexts = () => [...document.querySelectorAll("[data-turn]")].map((turn) => turn.querySelector("ol")?.textContent);
const field = page.getByRole("textbox", { name: "Type in German" });

export async function type(text: string): Promise<void> {
  await field.fill(text);
  await button("Translate").click();
}

/** Presses until the recorder listens: it ignores a press while it looks for unfinished recordings. */
export async function speak(realtime: Realtime): Promise<void> {
  await expect
    .poll(async () => {
      if (status.element().getAttribute("data-status") === "idle") await english.click();
      return status.element().getAttribute("data-status");
    })
    .toBe("listening");
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
}
