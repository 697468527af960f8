"""Around Streamlit: who may ask, how much one visitor may take, and what a browser finds again.

threat                                                  defence                                  test
======================================================  =======================================  =====================
a foreign name that points here, another site's page    ``middleware.TrustedHosts``              D names, origins
a script, image or frame in a name                      ``middleware.SecurityHeaders``           browser tests
a cookie that was guessed, planted or stolen by port    ``middleware.OwnerCookie``               D cookies
a session resumed by its id alone                       config.toml, ``trustedUserHeaders``      A resumed
many messages of a page, or foreign ones                ``middleware.MessageLimit``              A queued, floods, rate
pings and parts of messages by the thousand             ``lifespan.FrameLimit``                  A frames
long messages, announced and never sent                 config.toml, ``maxMessageSize``          A 4_mb
a websocket that says nothing, half a request           ``MessageLimit``, ``lifespan``           A nothing, never_ends
all pages taken by one cookie or address                ``limits.SessionLimit``                  A one_cookie
uploads that never come, or too many                    ``limits.UploadLimit``, the one count    A never_comes, memory
files that are refused over and over                    ``limits.refusable``                     A refused
computing that keeps others from theirs                 ``irviz.workspace.job``                  C
data, views and downloads of pages that were left       ``session_store``, ``lifespan``          D end_with_their_page
======================================================  =======================================  =====================

The layers stand in ``app.py``, outermost first.  All limits are those of one process.
=======
``SECURITY.md`` lists the threats with the test of each defence.  The layers stand in ``app.py``, outermost first.  All
limits are those of one process.
"""
