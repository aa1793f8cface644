import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { DeviceModelPhase } from "#machines/device-models/rules.ts";
import { selectFailure, selectPhase } from "#machines/device-models/selectors.ts";
import { bytes, percent } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { leaveFocus } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import { Progress } from "#src/ui/progress.tsx";
import type { DeviceModel } from "./actor.ts";

const interrupted: readonly DeviceModelPhase[] = ["fetching", "waiting", "paused"];

/** The downloaded part of the model. Renders nothing unless a download is running or paused. */
export function ModelProgress({ model: { actor, fraction, bytes: total } }: { model: DeviceModel }) {
  const { t, i18n } = useTranslation("device-models");
  const phase = useSelector(actor, selectPhase);
  const done = useSyncExternalStore(fraction.subscribe, fraction.get);
  if (!interrupted.includes(phase)) return null;
  const amount = { done: bytes(done * total, i18n.language), total: bytes(total, i18n.language) };
  return (
    <>
      <Progress label={t("progress")} fraction={done} />
      <p className="facts">
        <span>{percent(done, i18n.language)}</span>
        <span>{t("downloaded", amount)}</span>
      </p>
    </>
  );
}

/** Shows why the model can't be used here, or why its last download or opening failed. */
export function ModelFailure({ model: { actor } }: { model: DeviceModel }) {
  const { t } = useTranslation("device-models");
  const failure = useSelector(actor, selectFailure);
  const hasFailed = useSelector(actor, (snapshot) => selectPhase(snapshot) === "failed");
  if (failure === null) return null;
  return <Notice tone={hasFailed ? "danger" : "warning"}>{t([`failure.${failure}`, "failure.internal"])}</Notice>;
}

/** The main button in each phase. It is busy where `type` is undefined, because a press does nothing then. */
const mainButtons = {
  checking: { label: "phase.checking", icon: "download", type: undefined },
  absent: { label: "download", icon: "download", type: "download.requested" },
  fetching: { label: "pause", icon: "pause", type: "pause.requested" },
  waiting: { label: "pause", icon: "pause", type: "pause.requested" },
  paused: { label: "resume", icon: "download", type: "resume.requested" },
  verifying: { label: "phase.verifying", icon: "download", type: undefined },
  ready: { label: "delete", icon: "trash", type: "delete.requested" },
  loading: { label: "delete", icon: "trash", type: "delete.requested" },
  running: { label: "delete", icon: "trash", type: "delete.requested" },
  idle: { label: "delete", icon: "trash", type: "delete.requested" },
  failed: { label: "again", icon: "retry", type: "retry.requested" },
  deleting: { label: "phase.deleting", icon: "trash", type: undefined },
} as const;

/** The buttons for the phase. The main one stays the same element in all phases, so that it keeps the focus. */
export function ModelActions({ model: { actor, bytes: total } }: { model: DeviceModel }) {
  const { t, i18n } = useTranslation("device-models");
  const phase = useSelector(actor, selectPhase);
  if (phase === "unsupported" || phase === "elsewhere") return null;
  const { label, icon, type } = mainButtons[phase];
  return (
    <div className="row">
      <Button
        ref={leaveFocus}
        look={phase === "absent" ? "primary" : "secondary"}
        icon={icon}
        busy={type === undefined}
        onClick={() => type !== undefined && actor.send({ type })}
      >
        {t(label, { size: bytes(total, i18n.language) })}
      </Button>
      {interrupted.includes(phase) ? (
        <Button look="quiet" onClick={() => actor.send({ type: "cancel.requested" })}>
          {t("cancel")}
        </Button>
      ) : null}
      {phase === "failed" ? (
        <Button look="quiet" icon="trash" onClick={() => actor.send({ type: "delete.requested" })}>
          {t("delete")}
        </Button>
      ) : null}
    </div>
  );
}
