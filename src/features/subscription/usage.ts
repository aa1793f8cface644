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

/** The pages on which the free tier's minutes are spent (SPEC.md section 5). */
const pages: readonly string[] = ["/speech-to-text", "/voice-translator"];

type FollowTranscriptions = (listener: (event: Pick<TranscriptionEvent, "transcription">) => void) => () => void;

/** Given by `connectUsage`. */
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
    // A view that is still mounted shows nothing of the person who has signed out.
    actor.send({ type: "reset.requested" });
    actor.stop();
  },
});

const toSubscription = () => void pageRouter().navigate({ to: "/subscription" });

/** The minutes of the signed-in person; each person has their own. */
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
 * For the composition, which knows the transcriptions: a page that spends minutes follows them, and whenever one has ended, of whatever
 * page, minutes may have been spent.
 */
export function connectUsage(transcriptions: { follow: FollowTranscriptions; observe: FollowTranscriptions }): void {
  followTranscriptions = transcriptions.follow;
  transcriptions.observe(({ transcription }) => {
    if (isOver(transcription)) openUsage().send({ type: "usage.outdated" });
  });
}

/**
 * For the loader of a page that spends minutes: while it is shown, usage is known (`selectUsage`), and the
 * person is warned near the limit, once per visit and at each further threshold. Loading it again is the same visit;
 * preloading is none.
 * @returns a function that ends the visit, for `onLeave`. It does not affect a later visit.
 */
export function watchUsage(): () => void {
  const path = pageRouter().latestLocation.pathname;
  if (!pages.includes(path)) return () => {};
  openUsage().send({ type: "visit.began", path });
  return () => usages.opened()?.send({ type: "visit.ended", path });
}

/** Usage may have changed, or have been estimated wrongly. */
export function askUsage(): void {
  openUsage().send({ type: "usage.requested" });
}

/** A page of the signed-in person is entered. @param path without its query */
export function checkUsageOn(path: string): void {
  openUsage().send({ type: "page.entered", path });
}

/** Minutes are currently being spent. */
export function askUsageWhileDictating(): void {
  usages.opened()?.send({ type: "minutes.spent" });
}
