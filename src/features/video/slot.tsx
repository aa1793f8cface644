import { type ReactNode, Suspense } from "react";
import { awaitedPart } from "#src/ui/lazy-part.tsx";
import type { Stage } from "./screen.ts";
import styles from "./slot.module.css";

/** If the panel can't be loaded, the transcript is shown as for an audio recording. */
const VideoPanel = awaitedPart(
  async () => (await import("./panel.tsx").catch(() => undefined))?.VideoPanel ?? (() => null),
  "video",
);

interface WithVideoProps {
  id: string;
  /** undefined: the recording is no video. */
  stage: Stage | undefined;
  /** Receives a function to call when the user leaves the transcript's page. */
  onLeave(left: () => void): void;
  children: ReactNode;
}

/** A transcript beside the picture of its recording, or below it on narrow screens. */
export function WithVideo({ children, stage, ...panel }: WithVideoProps) {
  if (stage === undefined) return children;
  return (
    <div className={styles.withVideo}>
      <Suspense fallback={<div className={styles.place} />}>
        <VideoPanel stage={stage} {...panel} />
      </Suspense>
      <div className="grow">{children}</div>
    </div>
  );
}
