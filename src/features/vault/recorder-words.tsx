import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { selectRecordingPhase, selectWasSilent, selectWords, selectWordsFailure } from "#machines/vault/recording.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { SpokenWords } from "#src/features/dictation/live-captions.tsx";
import { Notice } from "#src/ui/notice.tsx";
import type { VaultRecorder } from "./recording-actor.ts";

/** Shown for a recording with a text: the offer of the missing model, the words so far, and why there are none. */
export function RecorderWords({ recorder }: { recorder: VaultRecorder }) {
  const { t } = useTranslation("vault");
  const { actor } = recorder;
  const phase = useSelector(actor, selectRecordingPhase);
  const words = useSelector(actor, selectWords);
  const failure = useSelector(actor, selectWordsFailure);
  const wasSilent = useSelector(actor, selectWasSilent);
  const isOnDevice = useSelector(deviceModels().english.actor, selectIsOnDevice);
  const isRecording = phase === "recording" || phase === "stopping";
  return (
    <>
      <DeviceModelOffer />
      {isRecording || phase === "understanding" ? <Words recorder={recorder} isLive={words === "live"} /> : null}
      {words === "afterwards" && isRecording && failure === null ? <p className="note">{t("words.afterwards")}</p> : null}
      {failure === null ? null : (
        <Notice tone="warning">
          {/* If the model is missing, the offer gives the reason. */}
          {isOnDevice ? <p>{t(`device-models:failure.${failure}`)}</p> : null}
          <p>{t("words.stopped")}</p>
        </Notice>
      )}
      {wasSilent ? <Notice>{t("words.silent")}</Notice> : null}
    </>
  );
}

/** @param isLive whether more words are expected */
function Words({ recorder: { captions }, isLive }: { recorder: VaultRecorder; isLive: boolean }) {
  const { t } = useTranslation("vault");
  const { lines, partial } = useSyncExternalStore(captions.subscribe, captions.get);
  const nothing = lines.length === 0 && partial === null;
  if (nothing && !isLive) return null;
  return (
    <SpokenWords
      title={t("words.title")}
      lang="en-US"
      placeholder={nothing ? t("words.placeholder") : undefined}
      lines={lines}
      partial={partial}
    />
  );
}
