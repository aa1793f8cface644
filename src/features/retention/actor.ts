import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import type { RetentionDates } from "#contract/index.ts";
import { type RetentionDays, retentionMachine } from "#machines/retention/machine.ts";
import { createRetentionApi } from "#src/api/retention.ts";
import { inspected } from "#src/browser/inspection.ts";
import { toast } from "#src/browser/toasts.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { ownCall } from "#src/features/session/api.ts";
import { perOwner, perRecord } from "#src/features/session/per-owner.ts";
import { loadTexts } from "#src/i18n/index.ts";

const api = createRetentionApi(ownCall);
const forEver: RetentionDays = { audioDays: null, textDays: null };

const machine = retentionMachine.provide({
  actors: {
    load: fromPromise(async ({ input, signal }) => {
      const rule = (await api.list(signal)).find(({ folderId }) => folderId === input.folderId);
      return rule === undefined ? forEver : { audioDays: rule.audioDays, textDays: rule.textDays };
    }),
    preview: fromPromise(({ input, signal }) => api.preview(input, signal)),
    save: fromPromise(async ({ input, signal }) => void (await api.save(input, signal))),
  },
});

export type Retention = ActorRefFrom<typeof retentionMachine>;

const form = perOwner<{ folderId: string | null; actor: Retention }>({ end: ({ actor }) => actor.stop() });

/** Opens the rule of a folder (null: of transcripts without a folder), until it is saved or another one is opened. */
export function openRetention(folderId: string | null): Retention {
  const known = form.mine();
  if (known?.folderId === folderId) return known.actor;
  return form.replace(() => {
    const actor = createActor(machine, { ...inspected(), input: { folderId } });
    actor.on("rule.saved", () => toast({ kind: "success", key: "toast.saved" }));
    return { folderId, actor: actor.start() };
  }).actor;
}

/** Closes the form. The next time it begins with the stored rule. */
export const closeRetention = (): void => form.close();

/** Loads the dates together with their texts. */
const loadDates = (id: string): Query<RetentionDates> =>
  startQuery(async (signal) => (await Promise.all([api.dates(id, signal), loadTexts("retention")]))[0]);

/** The deletion dates of the open page's transcript. */
export const openDates = perRecord(loadDates, (query) => query.stop());
