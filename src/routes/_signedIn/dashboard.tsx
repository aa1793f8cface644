import { createFileRoute, redirect, stripSearchParams } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { type LibraryView, noView } from "#machines/transcriptions/view.ts";
import { isTryLeft } from "#src/browser/try-left.ts";
import { waitingRecordings } from "#src/features/dictation/waiting.ts";
import type { OpenTranscriptions } from "#src/features/transcriptions/actor.ts";
import { LibraryAddress } from "#src/features/transcriptions/address.ts";
import { History } from "#src/features/transcriptions/transcriptions-page.tsx";
import { DashboardDrop } from "#src/features/uploads/dashboard-drop.tsx";
import { FirstRun } from "#src/features/uploads/first-run.tsx";
import { isUnderWay } from "#src/features/uploads/is-under-way.ts";
import { lazyPart } from "#src/ui/lazy-part.tsx";

/** Loaded only for users who have recorded on the landing page before they signed in. */
const TryOutOffer = lazyPart(async () => (await import("#src/features/tryout/offer.tsx")).TryOutOffer, "tryout");

/** The uploads. The list does not wait for them. */
const UnderWay = lazyPart(async () => (await import("#src/features/uploads/under-way.tsx")).UnderWay, "uploads");
const OverallLine = lazyPart(async () => (await import("#src/features/uploads/upload-list.tsx")).OverallLine, "uploads");
const UnreadableFiles = lazyPart(async () => (await import("#src/features/uploads/unreadable-files.tsx")).UnreadableFiles);

/** Loaded only for users who have recorded without a network, until everything is sent. */
const WaitingRecordings = lazyPart(
  async () => (await import("#src/features/dictation/waiting-recordings.tsx")).WaitingRecordings,
  "dictation",
);

/** @throws the router's redirect to the recording that was made just before this account was created */
async function openSavedTry(): Promise<void> {
  const { adoptSavedTry } = await import("#src/features/tryout/adopt.ts");
  const place = await adoptSavedTry();
  if (place !== null) throw redirect({ to: place, replace: true });
}

/** Makes the list follow the address. */
function follow(transcriptions: OpenTranscriptions | undefined, view: LibraryView): void {
  transcriptions?.address.send({ type: "address.entered", view });
}

export const Route = createFileRoute("/_signedIn/dashboard")({
  staticData: { titleKey: "titles.dashboard" },
  validateSearch: LibraryAddress,
  search: { middlewares: [stripSearchParams({ ...noView, tags: [] })] },
  // No loaderDeps: after a new search the same page stays with its state, and the list follows the address. That
  // happens outside of the loader, which runs only once for a preloaded and then opened link.
  loader: async ({ preload }) => {
    if (isTryLeft() && !preload) await openSavedTry();
    const [{ openTranscriptions }, { enterFirstRun }] = await Promise.all([
      import("#src/features/transcriptions/actor.ts"),
      import("#src/features/uploads/first-run-forms.ts"),
    ]);
    const transcriptions = openTranscriptions();
    transcriptions.actor.send({ type: "list.requested" });
    return { transcriptions, firstRun: enterFirstRun() };
  },
  onEnter: ({ loaderData, search }) => follow(loaderData?.transcriptions, search),
  onStay: ({ loaderData, search }) => follow(loaderData?.transcriptions, search),
  onLeave: ({ loaderData }) => {
    loaderData?.transcriptions.address.send({ type: "page.left" });
    return import("#src/features/uploads/first-run-forms.ts").then((page) => page.leaveFirstRun());
  },
  component: Dashboard,
});

function Dashboard() {
  const { transcriptions, firstRun } = Route.useLoaderData();
  return (
    <>
      {/* The key ensures that new forms, such as another user's, share no state with previous ones. */}
      <History
        {...transcriptions}
        notice={
          <>
            {isTryLeft() ? <TryOutOffer /> : null}
            {waitingRecordings().length > 0 ? <WaitingRecordings /> : null}
            <UnreadableFiles transcriptions={transcriptions.actor} />
          </>
        }
        isUnderWay={useSyncExternalStore(isUnderWay.subscribe, isUnderWay.get)}
        overall={<OverallLine />}
        underWay={<UnderWay transcriptions={transcriptions.actor} />}
        empty={<FirstRun key={firstRun.address.sessionId} {...firstRun} />}
      />
      <DashboardDrop />
    </>
  );
}
