import { SuggestionsAnswer, Transcription, VoiceProfilesAnswer } from "#contract/index.ts";
import type { Diarizer } from "#server/speech/index.ts";
import { base, getTranscription, type Person, read, settled, signUp, startTestServer, upload } from "#tests/server/harness.ts";
import { buzzWav, scriptedEngines, segment } from "#tests/server/jobs/scripted.ts";
import { diarized, type Found, scriptedDiarizer } from "#tests/server/processing/scripted-diarizer.ts";

export const profilesPath = "/users/me/voice-profiles";

// Voices of the scripted model. The cousin resembles Anna like one person on two days (0.9); Ben is somebody else.
export const anna = [0.8, 0.6, 0, 0];
export const cousin = [0.96, 0.28, 0, 0];
export const ben = [0, 0, 1, 0];
export const eve = [0, 0, 0, 1];

/** All voices speak for the same time. */
function heard(...voices: number[][]): Found {
  const turns = voices.map((_, speaker) => ({ start: speaker * 2, end: (speaker + 1) * 2, speaker }));
  return { turns, voices, model: "scripted" };
}

/**
 * Parts of a server with scripted diarization: `script.found` is its next answer, given once `script.until` has
 * resolved.
 */
export function listeningParts() {
  const script = { found: heard(anna, ben), model: "scripted", until: Promise.resolve() };
  const scripted = scriptedDiarizer(async ({ speakers }) => {
    await script.until;
    return {
      turns: script.found.turns.map((turn) => ({ ...turn, speaker: Math.min(turn.speaker, (speakers ?? 20) - 1) })),
      voices: script.found.voices.slice(0, speakers),
      model: script.found.model,
    };
  });
  const diarizer: Diarizer & { asked: unknown[] } = { ...scripted, voiceModel: () => script.model };
  // One word per second.
  const words = "one two three four five six";
  const engines = scriptedEngines({ transcribe: async () => [segment(words, 0, 6)] });
  return { script, diarizer, engines };
}

/** A server with these parts, and a user. */
export async function listening(more: Parameters<typeof startTestServer>[0] = {}) {
  const { script, diarizer, engines } = listeningParts();
  const server = await startTestServer({ engines, diarizer, ...more });
  return { server, script, diarizer, person: await signUp(server) };
}

/** Makes a recording of these voices with speaker labels. @returns its id */
export async function record(
  { person, script }: { person: Person; script: { found: Found } },
  ...voices: number[][]
): Promise<string> {
  script.found = heard(...voices);
  const { id } = await read(await upload(person, buzzWav(7), { fields: { speakers: "1" } }), 202, Transcription);
  await settled(person, id);
  return id;
}

/** The speaker labels of a transcript, each once, in order. */
export async function speakersOf(person: Person, id: string): Promise<(string | undefined)[]> {
  const { segments } = await getTranscription(person, id);
  return [...new Set(segments.map(({ speaker }) => speaker))];
}

/** Renames a speaker everywhere, like the page. null removes the name. */
export async function name(person: Person, id: string, speaker: string, next: string | null): Promise<Transcription> {
  const { segments } = await getTranscription(person, id);
  const indices = segments.flatMap((one, index) => (one.speaker === speaker ? [index] : []));
  return put(person, id, { speakers: [{ name: next, segments: indices }] });
}

export async function put(person: Person, id: string, update: unknown): Promise<Transcription> {
  return read(await person.call("PUT", `/audio/remove-transcription/${id}`, update), 200, Transcription);
}

export async function diarizeAgain(person: Person, id: string, speakers: number | null): Promise<void> {
  await put(person, id, { diarize: { speakers } });
  await diarized(person, id);
}

export async function turn(person: Person, enabled: boolean): Promise<VoiceProfilesAnswer> {
  return read(await person.call("PUT", profilesPath, { enabled }), 200, VoiceProfilesAnswer);
}

export async function profilesOf(person: Person): Promise<VoiceProfilesAnswer["profiles"]> {
  return (await read(await person.call("GET", profilesPath), 200, VoiceProfilesAnswer)).profiles;
}

/** Each profile with its number of recordings, such as "Anna 2". */
export async function known(person: Person): Promise<string[]> {
  return (await profilesOf(person)).map(({ name: who, recordings }) => `${who} ${recordings}`);
}

/** Suggested names for speakers, such as "1 Anna?". */
export async function suggestions(person: Person, id: string): Promise<string[]> {
  const answer = await read(await person.call("GET", `${base}/transcription/${id}/suggestions`), 200, SuggestionsAnswer);
  return answer.suggestions.map(({ speaker, name: who }) => `${speaker} ${who}?`);
}

export async function decline(person: Person, id: string, speaker: string, who: string): Promise<SuggestionsAnswer> {
  const profile = (await profilesOf(person)).find((one) => one.name === who)?.id;
  const answer = await person.call("POST", `${base}/transcription/${id}/suggestions/declined`, { speaker, profile });
  return read(answer, 200, SuggestionsAnswer);
}
