import type { AccountField } from "./account-form.tsx";

// Fields that several forms have. Labels and hints are keys of the locale files.

/** The account's address. */
export const emailField: AccountField = {
  name: "email",
  label: "account.email",
  type: "email",
  autoComplete: "username",
  inputMode: "email",
  required: true,
};

/** The account's password. */
export const passwordField: AccountField = {
  name: "password",
  label: "account.password",
  type: "password",
  autoComplete: "current-password",
  required: true,
};

/** A password that is chosen. */
export const newPasswordField: AccountField = {
  name: "password",
  label: "account.chosenPassword",
  hint: "account.passwordHint",
  type: "password",
  autoComplete: "new-password",
  required: true,
};
