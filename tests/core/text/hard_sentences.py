"""Hard cases of sentence boundaries in news, written for this test; `|` marks each boundary."""

CASES = """
Dr. Ana Ruiz arrived at dawn.| She spoke to reporters.
The U.S. Army moved in overnight.| It met no resistance.
He fled to the U.S.| The army stayed behind.
At 5 p.m. Tuesday the quake hit.| Aftershocks followed.
The search ended at 5 p.m.| The crews went home.
Prices rose 3.5 percent on Monday.| Analysts cheered.
"Get out!" he shouted.| They ran for the doors.
"We are safe."| She smiled at the cameras.
The book by J. K. Rowling burned.| Nobody minded.
John F. Kennedy spoke first.| Crowds cheered.
See www.example.co.uk for the map.| Updates follow.
Yahoo! Inc. said it was sorry.| Shares fell.
St. Petersburg was spared.| Damage was small.
On Jan. 13 the ship ran aground.| 32 people died.
No. 10 declined to comment.| The Treasury did not.
He said ... and left.| Nobody knew why.
Wait ...| What happened here?| Nobody knows.
Gen. Martin Ruiz and Lt. Col. James Smith met.| They agreed on nothing.
SANTIAGO, Chile (Reuters) - A strong quake hit.| Many fled.
(It rained all night.)| The crowd went home.
Fig. 3 shows the fault.| See p. 12 for more.
Fire, flood, theft, etc. were covered.| Quakes were not.
Mr. and Mrs. Jones sued.| The court, in Jones vs. Ohio, agreed.
Is it over?| Yes!| It is over.
The ship sank off the coast.|The crew fled in boats.
Quake hits Chile|

A strong quake hit the north on Friday.| No one was hurt.
The state paid $1.5 million.| Then it stopped.
Rep. Gabrielle Lopez, D-Ariz., was shot.| She lived.
The toll reached 1,200.| Sen. McNamara wept.
She asked, "Why?"| Then she left the room.
Acme Corp. President Joan Lee resigned.| Her deputy took over.
The plant is owned by Acme Corp.| It opened in 1999.
Ban Ki-moon of the U.N. Security Council spoke.| He was brief.
The train left at 6.15 a.m. from Platform 4.| Witnesses heard a bang.
El Sr. Pérez murió ayer.| ¿Quién era?
地震发生了。|人们逃离。
"It was like a bomb," said Sgt. Lee.| "Then it was quiet."
Police said no.| The mayor said yes.
He scored 3.| Then he left, i.e. he ran.
Officers led by Capt. Ed. Moss searched Main St. for hours.| They found him.
Lt. Gov. Casey Cagle and Rev. Al Stone prayed.| Hundreds came.
The ship , built in 2004 , sank .| Rescue began .
He was born in Washington, D.C.| His father was a judge.
Washington, D.C. police closed the bridge.| Nobody was hurt.
"Are you hurt?" asked Officer Kim.| "No," she said.
It cost $3.2 bn.| That was too much.
Temperatures fell to -30 C. in the east.| Schools closed.
The Sept. 11 attacks killed 2,977 people.| The war followed.
He joined Smith & Sons Ltd. in May.| He left in June.
Mr. Smith Jr. was found alive.| Mrs. Smith was not.
The blast hit at 14.30 local time.| Windows broke.
Reporters asked: Where is he?| Where is she?
She won 6-4, 6-3 vs. Li.| Play resumed at noon.
"Run!"| The crowd ran.
The vote was 51-49.| Sen. Ann Bell (R-Ga.) voted no.
Call (02) 555.1234 now.| Lines are open.
The U.S.-led force withdrew.| Talks began.
Sources: AP, Reuters.| Photo: J. Doe.
He said it was a "disaster."| Officials agreed.
What a night!| Three goals ...| And no winner.
"""


def cases() -> list[tuple[str, list[str]]]:
    """(text, its sentences) for each case."""
    found: list[list[str]] = []
    for line in CASES.strip("\n").split("\n"):
        if not line or (found and found[-1][-1] == ""):
            found[-1].append(line)
        else:
            found.append([line])
    texts = ["\n".join(lines) for lines in found]
    return [(text.replace("|", ""), [part.strip() for part in text.split("|")]) for text in texts]
