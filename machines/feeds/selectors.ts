import type { SnapshotFrom } from "xstate";
import type { Feed, Folder } from "#contract/index.ts";
import type { feedsMachine } from "./machine.ts";

type Snapshot = SnapshotFrom<typeof feedsMachine>;

const noFeeds: readonly Feed[] = [];
const noFolders: readonly Folder[] = [];

export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.hasTag("unavailable");
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading them failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** The oldest first. */
export const selectFeeds = (snapshot: Snapshot): readonly Feed[] => snapshot.context.known?.feeds ?? noFeeds;
/** How many the person's plan has. */
export const selectLimit = (snapshot: Snapshot): number => snapshot.context.known?.limit ?? 0;
/** Where transcripts can go. */
export const selectFolders = (snapshot: Snapshot): readonly Folder[] => snapshot.context.known?.folders ?? noFolders;
/** The form of a new one is open. */
export const selectIsWriting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: "writing" }) || snapshot.matches({ open: "following" });
export const selectIsFollowing = (snapshot: Snapshot): boolean => snapshot.matches({ open: "following" });
/** The one whose removal waits for a yes; null for none. */
export const selectAsked = (snapshot: Snapshot): Feed | null =>
  snapshot.matches({ open: "asking" }) ? (selectFeeds(snapshot).find(({ id }) => id === snapshot.context.chosen) ?? null) : null;
/** The id of the one that is being removed; null for none. */
export const selectRemoving = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "removing" }) ? snapshot.context.chosen : null;
/** The id of the one that is being paused, goes on, or gets another folder; null for none. */
export const selectChanging = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "changing" }) ? snapshot.context.chosen : null;
/** Where the transcripts of the one that is being changed are to go; undefined where that is not what changes. */
export const selectWantedFolder = (snapshot: Snapshot): string | null | undefined =>
  snapshot.matches({ open: "changing" }) ? snapshot.context.change.folderId : undefined;
/** How often the list came back without what had the focus: one was removed. */
export const selectReturns = (snapshot: Snapshot): number => snapshot.context.returns;
/** Why the last change failed: an error code of the contract, or `noUrl`; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
