import { useTranslation } from "react-i18next";
import { Slide, ToastContainer, type ToastContentProps, toast } from "react-toastify/unstyled";
import "react-toastify/ReactToastify.css";
import type { LoadingMessage, LoadingToast, Toast } from "#src/browser/toasts.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./toasts.module.css";

/**
 * SPEC.md section 9: how long toasts stay (ms), and how many at once. An undo toast stays longer, because the user has
 * to read it and reach its button.
 */
const durations = {
  success: 2_000,
  error: 4_000,
  warning: 5_000,
  plain: 4_000,
  undo: 10_000,
} as const satisfies Record<Toast["kind"], number>;
const most = 20;

/** The toasts' container. Timers pause while the pointer or the focus is on a toast. */
export function Toasts() {
  const { t } = useTranslation();
  return (
    <ToastContainer
      className={styles.corner ?? ""}
      toastClassName={styles.toast ?? ""}
      progressClassName={styles.progress ?? ""}
      position="top-right"
      limit={most}
      newestOnTop
      hideProgressBar
      closeButton={false}
      icon={false}
      pauseOnHover
      transition={Slide}
      aria-label={t("toast.region")}
    />
  );
}

/** Shows a toast, unless the same one is already visible. */
export function showToast(message: Toast): void {
  const { kind, key, values, action, onClose, signal } = message;
  if (signal?.aborted) return;
  const id = toast(drawn(message), {
    ...optionsOf(message),
    ...(action ? {} : { toastId: `${kind} ${key} ${JSON.stringify(values ?? {})}` }),
    ...(onClose && { onClose }),
  });
  signal?.addEventListener("abort", () => toast.dismiss(id), { once: true });
}

/** Shows a pending toast until it is settled. The user can't close it before. */
export function showLoading(message: LoadingMessage): LoadingToast {
  const still = { autoClose: false, closeOnClick: false, draggable: false } as const;
  const id = toast(<LoadingMessageBox message={message} />, { type: "default", role: "status", ...still });
  return {
    settle: (end) => toast.update(id, { render: drawn(end), ...optionsOf(end), closeOnClick: true, draggable: "touch" }),
    dismiss: () => toast.dismiss(id),
  };
}

const drawn =
  (message: Toast) =>
  ({ closeToast }: ToastContentProps) => <Message message={message} onClose={() => closeToast(true)} />;

function optionsOf({ kind }: Toast) {
  const type = kind === "plain" || kind === "undo" ? ("default" as const) : kind;
  return { type, role: kind === "error" ? ("alert" as const) : ("status" as const), autoClose: durations[kind] };
}

function LoadingMessageBox({ message: { key, values } }: { message: LoadingMessage }) {
  const { t } = useTranslation();
  return (
    <div className={`${styles.message} ${styles.plain}`}>
      <span className={styles.turning} aria-hidden="true" />
      <p>{t(key, { ...values })}</p>
    </div>
  );
}

/** A toast with keyboard focus stays open. */
const hold = { onFocus: () => toast.pause(), onBlur: () => toast.play() };
const icons = { success: "check", error: "warning", warning: "warning", undo: "trash" } as const;

function Message({ message: { kind, key, values, action }, onClose }: { message: Toast; onClose(): void }) {
  const { t } = useTranslation();
  const run = () => {
    // The button disappears, and not every action leads to another page.
    focusHeading();
    action?.run();
    onClose();
  };
  return (
    <div className={`${styles.message} ${styles[kind]}`}>
      {kind === "plain" ? null : <Icon name={icons[kind]} />}
      <p>{t(key, { ...values })}</p>
      <span className={styles.buttons}>
        {action ? (
          <Button look="quiet" onClick={run} {...hold}>
            {t(action.key)}
          </Button>
        ) : null}
        <IconButton icon="close" label={t("toast.close")} onClick={onClose} {...hold} />
      </span>
    </div>
  );
}
