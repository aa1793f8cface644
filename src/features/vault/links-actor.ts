import { createActor, fromPromise } from "xstate";
import { maxSealedLink, type Transcription, type VaultItem, type VaultLink, vaultLinkFragment } from "#contract/index.ts";
import { isGone } from "#machines/failure.ts";
import { vaultLinksMachine, type WantedLink } from "#machines/vault/links.ts";
import type { VaultApi } from "#src/api/vault.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import { createStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import { copy } from "#src/features/collection/actor.ts";
import { maxHeader, type SharedAbout } from "./link-crypto.ts";
import { parseText, type VaultMeta } from "./meta.ts";
import { readText } from "./transfers-actor.ts";
import type { VaultKeys } from "./unlocked-keys.ts";
import { VaultFailure } from "./worker.ts";

export type VaultLinks = ReturnType<typeof createVaultLinks>;

interface Parts {
  api: VaultApi;
  keys: VaultKeys;
  item: VaultItem;
  meta: VaultMeta;
}

/** The links to one recording, for components. The caller stops the actor. Creating a link needs the open vault. */
export function createVaultLinks({ api, keys, item, meta }: Parts) {
  /**
   * The address of the new link, until the user has copied it; null otherwise. Kept out of machines, because its key
   * opens the recording.
   */
  const address = createStore<string | null>(null);
  const make = async ({ audio, text, expiresAt, passphrase }: WantedLink, signal: AbortSignal): Promise<VaultLink> => {
    const worker = keys.opened();
    const kept = text ? parseText(await readText(api, keys, item.id, signal)) : null;
    const beginning = audio ? await api.beginning(item.id, maxHeader, signal) : null;
    const { sealed, key } = await worker.ask("makeLink", { about: aboutOf(meta, kept), beginning, passphrase });
    if (sealed.length > maxSealedLink) throw new VaultFailure("tooLarge");
    const wanted = { sealed, audio, text, locked: passphrase !== null, expiresAt };
    const { secret, ...link } = await api.createLink(item.id, wanted, signal);
    signal.throwIfAborted();
    address.set(`${location.origin}/shared-recording#${vaultLinkFragment({ id: link.id, secret, key })}`);
    return link;
  };
  const machine = vaultLinksMachine.provide({
    actors: {
      copy,
      load: fromPromise(async ({ signal }) => ({ items: await api.links(item.id, signal) })),
      create: fromPromise(async ({ input, signal }) => ({
        item: await make(input.draft, signal),
        secret: null,
      })),
      remove: fromPromise(({ input, signal }) =>
        api.revokeLink(item.id, input.id, signal).catch((error: unknown) => {
          // A link that was revoked elsewhere counts as revoked.
          if (!isGone(error)) throw error;
        }),
      ),
      wakeUps: createWakeUps(),
    },
    actions: { dropAddress: () => address.set(null) },
  });
  const actor = createActor(machine, { ...inspected(), input: { now: Date.now } });
  actor.on("item.removed", () => toast({ kind: "success", key: "sharing:revoked" }));
  return { actor: actor.start(), address };
}

/** The data that a link shows: the recording's name in the vault. Omits recognition alternatives and the owner. */
function aboutOf({ name, recordedAt, durationSeconds, type }: VaultMeta, text: Transcription | null): SharedAbout {
  return {
    version: 1,
    name,
    recordedAt,
    durationSeconds,
    type,
    language: text?.sourceLanguage ?? null,
    targetLanguage: text?.targetLanguage ?? null,
    passages: text === null ? null : passagesOf(text),
  };
}

function passagesOf({ segments, text, translatedText }: Transcription): NonNullable<SharedAbout["passages"]> {
  if (segments.length === 0)
    return text === "" ? [] : [{ start: 0, end: 0, text, ...(translatedText !== "" && { translation: translatedText }) }];
  return segments.map(({ start, end, text: said, speaker, translation }) => ({
    start,
    end,
    text: said,
    ...(speaker !== undefined && { speaker }),
    ...(translation !== undefined && { translation }),
  }));
}
