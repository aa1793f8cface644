import { CreatedSharedLink, type NewSharedLink, type Segment, SharedAnswer, type SharedTranscript } from "#contract/index.ts";
import { base, type Person, post, read } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

export const passphrase = "seventeen green boats";

/** A conversation with fields that only its owner may see. */
export const talk: Segment[] = [
  {
    ...segment("good morning", 0, 1),
    speaker: "Anna",
    heard: "gut morning",
    translation: "buenos días",
    words: [
      { text: "good", start: 0, end: 0.5, confidence: 0.2, heard: "gut" },
      { text: "morning", start: 0.5, end: 1, confidence: 0.9 },
    ],
  },
  { ...segment("how are you", 1, 2), speaker: "1", translation: "cómo estás", turn: "6f9619ff-8b86-4d01-b42d-00c04fc964ff" },
];

export const linksOf = (transcription: string): string => `${base}/transcription/${transcription}/links`;

/** Creates a link to a transcription. */
export async function share(person: Person, transcription: string, wanted: NewSharedLink = {}): Promise<CreatedSharedLink> {
  return read(await person.call("POST", linksOf(transcription), wanted), 201, CreatedSharedLink);
}

/** The browser of a visitor with a link: no account, only the cookie that the server sets. */
export function visit({ apiUrl }: { apiUrl: string }, { id, secret }: { id: string; secret: string }) {
  let cookie = "";
  const path = `/api/v1/shared/${id}`;
  const open = async (typed?: string, headers: Record<string, string> = {}) => {
    const body = { secret, ...(typed !== undefined && { passphrase: typed }) };
    const answer = await post({ apiUrl }, `${path}/open`, body, { ...headers, ...(cookie && { Cookie: cookie }) });
    cookie = answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? cookie;
    return answer;
  };
  return {
    path,
    cookie: () => cookie,
    open,
    /** The shared transcript. @throws when the link is locked or doesn't exist */
    shown: async (typed?: string): Promise<SharedTranscript> => {
      const answer = await read(await open(typed), 200, SharedAnswer);
      if (answer.locked) throw new Error("the link is locked");
      return answer.transcript;
    },
    get: (what: string, headers: Record<string, string> = {}, at = apiUrl) =>
      fetch(`${at}${path}/${what}`, { headers: { Cookie: cookie, ...headers } }),
  };
}
