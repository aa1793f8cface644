import { Suspense } from "react";
import type { Transcription } from "#contract/index.ts";
import { withPlacing } from "#machines/filing/rules.ts";
import { selectSaved } from "#machines/transcription/selectors.ts";
import { awaitedPart } from "#src/ui/lazy-part.tsx";
import type { OpenTranscription } from "./actor.ts";
import { leaving } from "./player.ts";

/** Loaded together with their data. */
const filed = {
  labels: awaitedPart(async () => (await import("#src/features/filing/own.tsx")).OwnLabels),
  menus: awaitedPart(async () => (await import("#src/features/filing/own.tsx")).OwnMenus),
};

interface FiledProps {
  open: OpenTranscription;
  transcription: Transcription;
  as: keyof typeof filed;
}

/** The transcript's folder and tags, or the menus that change them. */
export function Filed({ open, transcription, as }: FiledProps) {
  const Part = filed[as];
  const { actor } = open;
  return (
    <Suspense fallback={as === "menus" ? <span /> : null}>
      <Part
        item={transcription}
        onPlaced={(placing) => {
          const saved = selectSaved(actor.getSnapshot());
          if (saved !== null) actor.send({ type: "transcription.updated", transcription: withPlacing(saved, placing) });
        }}
        onLeave={leaving(open)}
      />
    </Suspense>
  );
}
