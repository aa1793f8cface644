import { useSelector } from "@xstate/react";
import { useCallback, useId, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { captionColumns, exportContents, exportFormats } from "#contract/index.ts";
import { selectChoice, selectIsFlawed } from "#machines/exports/machine.ts";
import { type ExportRequest, isCaptions, mayHaveTimes } from "#machines/exports/rules.ts";
import { Button } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import entries from "#src/ui/entries.module.css";
import { Options, SelectField, TextField } from "#src/ui/field.tsx";
import { type ExportOptions, openExportOptions } from "./actor.ts";
import styles from "./exports.module.css";

interface ExportDialogProps {
  /** Whether the export has texts in two languages. */
  hasTranslation: boolean;
  onWanted(wanted: ExportRequest): void;
  onClose(): void;
}

/**
 * The dialog for a saved file's format and look. It is the browser's modal dialog: Escape closes it, and the focus
 * returns.
 */
export function ExportDialog({ hasTranslation, onWanted, onClose }: ExportDialogProps) {
  const { t } = useTranslation("exports");
  const id = useId();
  const [options] = useState(() => openExportOptions(onWanted));
  // Must stay the same function, because a new ref would reopen a dialog that has just closed.
  const listen = useCallback(
    (dialog: HTMLDialogElement | null) => {
      if (dialog === null) return undefined;
      if (!dialog.open) dialog.showModal();
      const wanted = options.on("file.wanted", () => dialog.close());
      return () => wanted.unsubscribe();
    },
    [options],
  );
  // Rendered in a portal: on a narrow window, the tools that open the dialog are hidden until the user asks for them.
  return createPortal(
    <dialog
      ref={listen}
      className={dialogStyles.dialog}
      aria-labelledby={id}
      onClose={() => {
        options.send({ type: "dialog.closed" });
        options.stop();
        onClose();
      }}
    >
      <h2 id={id}>{t("title")}</h2>
      <form
        className={`stack ${styles.form}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          options.send({ type: "file.requested" });
        }}
      >
        <Format options={options} hasTranslation={hasTranslation} />
        <Look options={options} />
        <div className="row at-end">
          <Button look="quiet" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
            {t("cancel")}
          </Button>
          <Button type="submit" look="primary" icon="download">
            {t("save")}
          </Button>
        </div>
      </form>
    </dialog>,
    document.body,
  );
}

function Format({ options, hasTranslation }: { options: ExportOptions; hasTranslation: boolean }) {
  const { t } = useTranslation(["exports", "app"]);
  const { format, content } = useSelector(options, selectChoice);
  return (
    <>
      <SelectField
        label={t("format")}
        value={format}
        onChange={({ target }) => {
          const chosen = exportFormats.find((one) => one === target.value);
          if (chosen !== undefined) options.send({ type: "format.chosen", format: chosen });
        }}
      >
        <Options of={exportFormats.map((one) => [one, t(`app:transcript.formats.${one}`)])} />
      </SelectField>
      {hasTranslation && format !== "json" ? (
        <SelectField
          label={t("content")}
          value={content}
          onChange={({ target }) => {
            const chosen = exportContents.find((one) => one === target.value);
            if (chosen !== undefined) options.send({ type: "content.chosen", content: chosen });
          }}
        >
          <Options of={exportContents.map((one) => [one, t(`app:transcript.view.${one}`)])} />
        </SelectField>
      ) : null}
    </>
  );
}

/** The options that apply to the chosen format. */
function Look({ options }: { options: ExportOptions }) {
  const { t } = useTranslation("exports");
  const { format, speakers, timed, columns, lines, content } = useSelector(options, selectChoice);
  const flawed = useSelector(options, selectIsFlawed);
  if (format === "json") return <p className="measure note">{t("everything")}</p>;
  return (
    <>
      <label className={entries.choice}>
        <input type="checkbox" checked={speakers} onChange={() => options.send({ type: "speakers.toggled" })} />
        <span>{t("speakers")}</span>
      </label>
      {mayHaveTimes(format) ? (
        <label className={entries.choice}>
          <input type="checkbox" checked={timed.includes(format)} onChange={() => options.send({ type: "times.toggled" })} />
          <span>{t("times")}</span>
        </label>
      ) : null}
      {isCaptions(format) ? (
        <>
          <TextField
            label={t("columns")}
            hint={t("columnsHint", captionColumns)}
            error={flawed ? t("columnsFlaw", captionColumns) : undefined}
            inputMode="numeric"
            value={columns}
            onChange={({ target }) => options.send({ type: "columns.typed", text: target.value })}
          />
          <SelectField
            label={t("lines")}
            {...(content === "both" && { hint: t("linesHint") })}
            value={lines}
            onChange={({ target }) => options.send({ type: "lines.chosen", lines: target.value === "1" ? 1 : 2 })}
          >
            <option value={1}>{t("oneLine")}</option>
            <option value={2}>{t("twoLines")}</option>
          </SelectField>
        </>
      ) : null}
    </>
  );
}
