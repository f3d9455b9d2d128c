import { expect } from 'chai';
import { settingsWithoutSecrets } from '#world/git/repository/settings-without-secrets.ts';

describe('a person’s settings of git for an isolated agent', () => {
  const kept = `[user]
	name = Ada
	email = ada@example.com
[alias]
	l = "!git log \\
		--oneline"
[url "ssh://git@github.com/"]
	insteadOf = https://github.com/
[credential "https://github.com"]
	helper = !gh auth git-credential
[credential "https://example.com"]
	helper = "!f() { echo username=ada; echo \\"password=$TOKEN\\"; }; f"
	helper = "!gh auth token | tail -1"
[core]	editor = vi
`;

  it('are the same if they hold no secret', () => {
    expect(settingsWithoutSecrets(kept)).to.equal(kept);
    expect(settingsWithoutSecrets('[user] name = Ada')).to.equal('[user] name = Ada');
  });

  it('lack passwords and tokens, with the section that one names', () => {
    const token = `ghp_${'a1'.repeat(18)}`;
    const secrets = `[url "https://ada:${token}@github.com/"]
	insteadOf = https://github.com/
[http "https://example.com"]
	extraHeader = AUTHORIZATION: \\
		basic c2VjcmV0
	sslVerify = true
[github] token = secret
	user = ada
[sendemail]
	smtpPass = secret
	smtpUser = ada
[remote "x"]
	url = https://0123456789abcdef0123456789@example.com/x
[imap]
	pass = secret
	host = imap://imap.example.com
[credential]
	helper = "!f() { echo password=hunter2; }; f"
	helper = "!login --api-token hunter2"
	username = "a;b#c" # password: secret
	# password = secret
	; token = secret \\
[http]
	proxy = http://ada:secret@proxy.example.com
	proxy = http://ada:se/cr@et@proxy.example.com
	proxy = ada:secret@proxy.example.com:3128
	emptyAuth = true # secret \\
	token = secret
[x "]"] [github] token = secret
`;
    expect(settingsWithoutSecrets(kept + secrets)).to.equal(`${kept}[http "https://example.com"]
	sslVerify = true
[github]
	user = ada
[sendemail]
	smtpUser = ada
[remote "x"]
[imap]
	host = imap://imap.example.com
[credential]
	username = "a;b#c"
[http]
	emptyAuth = true
[x "]"] [github]
`);
  });
});
