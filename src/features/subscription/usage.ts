import { type Actor, createActor, fromCallback, fromPromise } from "xstate";
import type { TranscriptionEvent } from "#contract/index.ts";
import { usageMachine } from "#machines/subscription/usage.ts";
import { createUsageApi } from "#src/api/subscription.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { minutes } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { createUsageSource } from "./usage-source.ts";

/** The pages that spend the free tier's minutes (SPEC.md section 5). */
const pages: readonly string[] = ["/speech-to-text", "/voice-translator"];

type FollowTranscriptions = (listener: (event: Pick<TranscriptionEvent, "transcription">) => void) => () => void;

/** Set by `connectUsage`. */
let followTranscriptions: FollowTranscriptions;

const isOver = ({ status }: TranscriptionEvent["transcription"]): boolean => status === "completed" || status === "failed";

const fetchUsage = createUsageSource(createUsageApi(call), () => Date.now());
const machine = usageMachine.provide({
  actors: {
    fetchUsage: fromPromise(({ signal }) => fetchUsage(signal)),
    transcriptions: fromCallback(({ sendBack }) =>
      followTranscriptions(({ transcription }) => {
        if (isOver(transcription)) sendBack({ type: "usage.requested" });
      }),
    ),
    router: fromCallback(({ input: { path }, sendBack }) =>
      pageRouter().subscribe("onResolved", ({ toLocation }) => {
        if (toLocation.pathname !== path) sendBack({ type: "visit.ended", path });
      }),
    ),
  },
});

const usages = perOwner<Actor<typeof machine>>({
  end: (actor) => {
    // Clears the signed-out user's data from views that are still mounted.
    actor.send({ type: "reset.requested" });
    actor.stop();
  },
});

const toSubscription = () => void pageRouter().navigate({ to: "/subscription" });

/** The minutes of the signed-in user, one actor for each user. */
export function openUsage(): Actor<typeof machine> {
  return usages.open(() => {
    const actor = createActor(machine, inspected());
    actor.on("usage.warned", ({ level, minutesLeft }) => {
      const said =
        level === "reached"
          ? { key: "app:usage.reached" }
          : { key: "app:usage.remaining", values: { n: minutes(minutesLeft, i18n.language) } };
      toast({ kind: "warning", ...said, action: { key: "app:usage.upgrade", run: toSubscription } });
    });
    return actor.start();
  });
}

/**
 * Called by the composition, which knows the transcriptions. A page that spends minutes follows them. Whenever any
 * transcription ends, minutes may have been spent.
 */
export function connectUsage(transcriptions: { follow: FollowTranscriptions; observe: FollowTranscriptions }): void {
  followTranscriptions = transcriptions.follow;
  transcriptions.observe(({ transcription }) => {
    if (isOver(transcription)) openUsage().send({ type: "usage.outdated" });
  });
}

/**
 * Called by the loader of a page that spends minutes. While the page is open, usage is known (`selectUsage`), and the
 * user is warned near the limit, once per visit and at each further threshold. Loading the page again is the same
 * visit; preloading it is none.
 * @returns a function that ends the visit, for `onLeave`. It does not affect a later visit.
 */
export function watchUsage(): () => void {
  const path = pageRouter().latestLocation.pathname;
  if (!pages.includes(path)) return () => {};
  openUsage().send({ type: "visit.began", path });
  return () => usages.opened()?.send({ type: "visit.ended", path });
}

/** Reloads the usage, because it may have changed or been estimated wrongly. */
export function askUsage(): void {
  openUsage().send({ type: "usage.requested" });
}

/** Called when the signed-in user enters a page. @param path without its query */
export function checkUsageOn(path: string): void {
  openUsage().send({ type: "page.entered", path });
}

/** Reloads the usage while a dictation spends minutes. */
export function askUsageWhileDictating(): void {
  usages.opened()?.send({ type: "minutes.spent" });
}
