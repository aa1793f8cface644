import * as v from "valibot";
import { FinalTranscription, type Transcription } from "../api/contract/index.ts";
import { ApiError } from "../api/http.ts";
import { transcriptionsApi } from "./api-resources.ts";
import { currentUserId } from "./session.ts";
import { storage } from "./storage.ts";

/** SPEC.md section 3, "Transcription list state": the local list's key. */
const key = "transcriptions";
/** One browser may be used by several people: each sees only what is theirs. */
const Kept = v.object({ ownerId: v.string(), transcription: FinalTranscription });
type Kept = v.InferOutput<typeof Kept>;

let read: string | null = null;
let parsed: readonly unknown[] = [];
let mine: readonly FinalTranscription[] = [];
let owner: string | null = null;

/** Entries that another version wrote and this one can't read stay as they are. */
function entries(): readonly unknown[] {
  const text = storage.read(key);
  if (text === read && owner === currentUserId()) return parsed;
  read = text;
  owner = currentUserId();
  parsed = parseList(text);
  mine = parsed.flatMap((entry) => {
    const kept = v.safeParse(Kept, entry);
    return kept.success && kept.output.ownerId === owner ? [kept.output.transcription] : [];
  });
  return parsed;
}

function parseList(text: string | null): readonly unknown[] {
  try {
    return v.parse(v.array(v.unknown()), JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}

function isOf(entry: unknown, clientId: string): boolean {
  const kept = v.safeParse(Kept, entry);
  return kept.success && kept.output.transcription.clientId === clientId;
}

/** What was dictated and could not be saved yet, kept in this browser until the server has it. */
export const unsaved = {
  /** The signed-in person's; the same array as long as nothing changes. */
  list(): readonly FinalTranscription[] {
    entries();
    return mine;
  },
  /** @param ownerId who said it, signed in or not @returns false when the browser has no room for it */
  keep(transcription: FinalTranscription, ownerId: string): boolean {
    const others = entries().filter((entry) => !isOf(entry, transcription.clientId));
    return storage.write(key, JSON.stringify([{ ownerId, transcription } satisfies Kept, ...others]));
  },
  drop(clientId: string): void {
    const all = entries();
    const others = all.filter((entry) => !isOf(entry, clientId));
    if (others.length === 0) storage.remove(key);
    else if (others.length < all.length) storage.write(key, JSON.stringify(others));
  },
  subscribe: (listener: () => void): (() => void) => storage.subscribe(key, listener),
};

/** Saves one, and takes it off the local list. Saving the same `clientId` twice saves once. @throws ApiError; 401 for somebody else's */
export async function saveFinal(transcription: FinalTranscription, signal?: AbortSignal): Promise<Transcription> {
  // Who has read the list may have left while the one before was on its way.
  const isKept = entries().some((entry) => isOf(entry, transcription.clientId));
  const isMine = mine.some(({ clientId }) => clientId === transcription.clientId);
  if (isKept && !isMine) throw new ApiError(401, "unauthorized", "It is somebody else's.");
  const saved = await transcriptionsApi.saveFinal(transcription, signal);
  unsaved.drop(transcription.clientId);
  return saved;
}
