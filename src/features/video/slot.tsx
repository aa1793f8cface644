import { lazy, type ReactNode, Suspense } from "react";
import { loadTexts } from "#src/i18n/index.ts";
import type { Stage } from "./screen.ts";
import styles from "./slot.module.css";

/** Without it the transcript is what it is of a sound. */
const VideoPanel = lazy(async () => {
  const here = Promise.all([import("./panel.tsx"), loadTexts("video")]);
  return { default: (await here.catch(() => undefined))?.[0].VideoPanel ?? (() => null) };
});

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
      <div className={styles.text}>{children}</div>
    </div>
  );
}
