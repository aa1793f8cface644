import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { ReadableStore } from "#src/browser/store.ts";
import { Button } from "#src/ui/button.tsx";
import { leaveFocus } from "#src/ui/focus.ts";
import { Progress } from "#src/ui/progress.tsx";
import { Failure } from "./failure.tsx";

interface DeviceTaskProps {
  /** What is done now; null: nothing. */
  said: string | null;
  /** What it waits for. */
  children?: ReactNode;
  /** How much is done, from 0 to 1; undefined: that is not known. */
  fraction: ReadableStore<number> | undefined;
  /** Of the fraction. */
  label: string;
  /** Why it did not work the last time. */
  failure: string | null;
  onCancel(): void;
}

/** How far something is that this device makes of an item, or why it did not work. */
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
