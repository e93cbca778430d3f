# SPDX-License-Identifier: GPL-2.0-or-later
"""A mail server: STARTTLS, bob and his password; `mails` has what arrived."""

import email
import email.policy
import logging
import warnings

from servers import tls
from servers.server import Server, missing

USER, PASSWORD = "bob", "sekrit"


class Smtp(Server):
    """
    @starttls: False: as if somebody between had taken it out of the answer. @wrapped: TLS from the first byte (smtps).
    @auth: a login is required. @max_bytes: what SIZE announces. Recipients: nobody@ is 550, full@ is 452 as often as
    `full_times`, huge@ is 552 after the data.
    """

    def __init__(self, host="127.0.0.1", port=0, starttls=True, wrapped=False, auth=True, max_bytes=64 << 20,
                 full_times=1 << 30):
        super().__init__(host, port)
        self.scheme = "smtps" if wrapped else "smtp"
        self.starttls, self.wrapped, self.auth, self.max_bytes = starttls and not wrapped, wrapped, auth, max_bytes
        self.full_times = full_times
        self.mails = []
        self.logins = []  # (user, password) of all tries
        self.senders = []  # MAIL FROM with its options
        self.controller = None

    def start(self):
        try:
            from aiosmtpd.controller import Controller
        except ImportError:
            missing("python3-aiosmtpd is not installed")
        # It finds our wishes unwise.
        logging.getLogger("mail").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="aiosmtpd")
        context = tls.authority().context()
        self.controller = Controller(
            self, hostname=self.host, port=self.port, ready_timeout=30,
            ssl_context=context if self.wrapped else None, tls_context=context if self.starttls else None,
            require_starttls=self.starttls, authenticator=self.check_login, auth_required=self.auth,
            auth_require_tls=self.starttls, data_size_limit=self.max_bytes, enable_SMTPUTF8=True)
        self.controller.start()
        return self

    def stop(self, how=None):
        if self.controller is not None:
            self.controller.stop()
            self.controller = None

    def check_login(self, server, session, envelope, mechanism, data):
        from aiosmtpd.smtp import AuthResult

        login, password = data.login.decode(), data.password.decode()
        self.logins.append((login, password))
        # handled=False: the server sends the 535 itself.
        return AuthResult(success=(login, password) == (USER, PASSWORD), handled=False)

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.senders.append((address, options))
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such user"
        if address.startswith("full@") and self.full_times > 0:
            self.full_times -= 1
            return "452 4.2.2 mailbox full"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(address.startswith("huge@") for address in envelope.rcpt_tos):
            return "552 5.3.4 message too big"
        self.mails.append(envelope)
        return f"250 2.0.0 queued as {len(self.mails)}"

    def message(self, number=-1):
        """An arrived mail, parsed."""
        return email.message_from_bytes(self.mails[number].content, policy=email.policy.default)
