import { Transcription } from "#contract/index.ts";
import { wavHeader } from "#server/speech/wav.ts";
import type { Asking } from "#tests/grown/chaos/asking.ts";
import { textOf } from "#tests/server/dictation/dictation.ts";
import { base, read } from "#tests/server/harness.ts";
import type { Action, Life } from "./life.ts";
import { recordLive } from "./live.ts";

/** A conversation of 1 to 3 turns; half of the turns are spoken, the others typed. */
export const talk: Action = async (life, asking) => {
  const { person, ledger, dice } = life;
  const title = life.name("conversation");
  const turns = dice.between(1, 3);
  const conversation = crypto.randomUUID();
  const [texts, sounds]: [string[], Buffer[]] = [[], []];
  let id = "";
  for (let turn = 0; turn < turns; turn += 1) {
    const turnId = crypto.randomUUID();
    const { text, sound } = await sayTurn(life, asking, turnId, turn);
    texts.push(text);
    sounds.push(sound);
    const segment = { start: 0, end: 0, text, words: [], translation: `vez ${turn}` };
    const date = new Date(Date.UTC(2026, 2, 1, 12, turn)).toISOString();
    const languages = { languages: ["en", "es-ES"], sourceLanguage: "en", targetLanguage: "es" };
    const body = { title, date, ...languages, segments: [segment] };
    const path = `${base}/conversations/${conversation}/turns/${turnId}`;
    const said = await asking.until(`turn ${turn} of "${title}"`, async () =>
      read(await person.call("PUT", path, body), 200, Transcription),
    );
    id = said.id;
  }
  const pcm = Buffer.concat(sounds);
  const audio = pcm.length === 0 ? {} : { audio: Buffer.concat([wavHeader(pcm.length / 2), pcm]) };
  ledger.add("spoken", title, { text: texts.join(" "), ...audio }).id = id;
};

/** @returns the turn's text and samples */
async function sayTurn(life: Life, asking: Asking, turnId: string, turn: number): Promise<{ text: string; sound: Buffer }> {
  if (!life.dice.chance(0.5)) return { text: `turn ${turn}`, sound: Buffer.alloc(0) };
  const { segments, wav } = await recordLive(life, asking, turnId);
  return { text: textOf(segments) || `turn ${turn}`, sound: wav.subarray(wavHeader(0).length) };
}
