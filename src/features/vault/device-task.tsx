import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { ReadableStore } from "#src/browser/store.ts";
import { Button } from "#src/ui/button.tsx";
import { leaveFocus } from "#src/ui/focus.ts";
import { Progress } from "#src/ui/progress.tsx";
import { Failure } from "./failure.tsx";

interface DeviceTaskProps {
  /** The current step's text; null: nothing is running. */
  said: string | null;
  /** Shown while the task waits for something. */
  children?: ReactNode;
  /** The finished part, from 0 to 1; undefined: unknown. */
  fraction: ReadableStore<number> | undefined;
  /** The label of the progress bar. */
  label: string;
  /** Why the last attempt failed. */
  failure: string | null;
  onCancel(): void;
}

/** The progress of a task that this device runs for an item, or why it failed. */
export function DeviceTask({ said, children, fraction, label, failure, onCancel }: DeviceTaskProps) {
  const { t } = useTranslation("vault");
  return (
    <>
      {children}
      <p className={said === null ? "roomless" : "fine"} role="status">
        {said ?? ""}
      </p>
      {said === null ? null : (
        <div className="line gap-3">
          {fraction === undefined ? null : <Fraction fraction={fraction} label={label} />}
          <Button ref={leaveFocus} look="quiet" onClick={onCancel}>
            {t("cancel")}
          </Button>
        </div>
      )}
      <Failure code={failure} />
    </>
  );
}

function Fraction({ fraction, label }: { fraction: ReadableStore<number>; label: string }) {
  return <Progress label={label} fraction={useSyncExternalStore(fraction.subscribe, fraction.get)} />;
}
