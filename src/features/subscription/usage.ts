import { type Actor, createActor, fromPromise } from "xstate";
import type { TranscriptionEvent } from "#contract/index.ts";
import { selectUsage, usageMachine } from "#machines/subscription/usage.ts";
import { createUsageApi } from "#src/api/subscription.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { toast } from "#src/browser/toasts.ts";
import { call } from "#src/features/session/api.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { minutes } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";

/** While dictating, the minutes are polled at most this often (ms): they are shown with one decimal. */
const dictatingMs = 6_000;
/** The pages on which the free tier's minutes are spent (SPEC.md section 5). */
const pages: readonly string[] = ["/speech-to-text", "/voice-translator"];

const api = createUsageApi(call);
const machine = usageMachine.provide({ actors: { fetchUsage: fromPromise(({ signal }) => api.get(signal)) } });

const usages = perOwner<Actor<typeof machine>>({
  end: (actor) => {
    visit?.end();
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

type FollowTranscriptions = (listener: (event: Pick<TranscriptionEvent, "transcription">) => void) => () => void;

interface Visit {
  path: string;
  end(): void;
}
let visit: Visit | undefined;

/**
 * For the loader of a page that spends minutes: while it is shown, usage is known (`selectUsage`), and the
 * person is warned near the limit, once per visit and at each further threshold. Loading it again is the same visit;
 * preloading is none.
 * @param follow subscribes to this person's transcriptions, and returns the unsubscribe function
 * @returns a function that ends the visit, for `onLeave`. It does not affect a later visit.
 */
export function watchUsage(follow: FollowTranscriptions): () => void {
  const path = pageRouter().latestLocation.pathname;
  if (!pages.includes(path)) return () => {};
  // Another person's visit has ended with their usage.
  openUsage();
  if (visit?.path !== path) {
    visit?.end();
    visit = beginVisit(path, follow);
  }
  return visit.end;
}

function beginVisit(path: string, follow: FollowTranscriptions): Visit {
  openUsage().send({ type: "visit.began" });
  const unfollow = follow(({ transcription: { status } }) => {
    if (status === "completed" || status === "failed") askUsage();
  });
  // A navigation that was aborted during loading never starts a visit.
  const leaveRouter = pageRouter().subscribe("onResolved", ({ toLocation }) => {
    if (toLocation.pathname !== path) own.end();
  });
  const own = {
    path,
    end: () => {
      if (visit !== own) return;
      visit = undefined;
      unfollow();
      leaveRouter();
      usages.opened()?.send({ type: "visit.ended" });
    },
  };
  return own;
}

/** Usage may have changed, or have been estimated wrongly. */
export function askUsage(): void {
  openUsage().send({ type: "usage.requested" });
}

let enteredPath: string | undefined;

/** A page of the signed-in person is entered: what is left of a limit is shown beside every one. @param path without its query */
export function checkUsageOn(path: string): void {
  const usage = openUsage();
  if (path === enteredPath && selectUsage(usage.getSnapshot()) !== null) return;
  enteredPath = path;
  usage.send({ type: "usage.outdated" });
}

/** A transcription has ended, of whatever page. @param follow subscribes to this person's transcriptions while a page follows them */
export function overhearUsage(follow: FollowTranscriptions): void {
  follow(({ transcription: { status } }) => {
    if (status === "completed" || status === "failed") openUsage().send({ type: "usage.outdated" });
  });
}

let askedAt = Number.NEGATIVE_INFINITY;

/** Minutes are currently being spent. */
export function askUsageWhileDictating(): void {
  const now = performance.now();
  if (visit === undefined || now < askedAt + dictatingMs) return;
  askedAt = now;
  askUsage();
}
