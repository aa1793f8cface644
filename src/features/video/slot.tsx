import { type ReactNode, Suspense } from "react";
import { awaitedPart } from "#src/ui/lazy-part.tsx";
import type { Stage } from "./screen.ts";
import styles from "./slot.module.css";

/** Without it the transcript is what it is of a sound. */
const VideoPanel = awaitedPart(
  async () => (await import("./panel.tsx").catch(() => undefined))?.VideoPanel ?? (() => null),
  "video",
);

interface WithVideoProps {
  id: string;
  /** undefined: the recording is no video. */
  stage: Stage | undefined;
  /** Is given what is to be called when the transcript's page is left. */
  onLeave(left: () => void): void;
  children: ReactNode;
}

/** A transcript beside the picture of its recording; below it where there is no room. */
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
